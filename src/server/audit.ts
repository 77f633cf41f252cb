/** The audit log: one JSON line a reader call, denied and cached ones included. Never content, a query or a key. */
import pino, { type DestinationStream } from "pino";
import type { GatewayConfig } from "../config/schema.ts";
import type { OnCall } from "../knowledge/knowledge.ts";

interface OpenFile {
  readonly path: string;
  readonly destination: DestinationStream;
  close(): void;
}

/** Follows the configuration from file to file; a file that stays the same stays open. */
export class AuditLog {
  readonly #standardOutput: DestinationStream;
  #open: OpenFile | null = null;

  /** @param standardOutput where `audit.file: "-"` goes */
  constructor(standardOutput: DestinationStream) {
    this.#standardOutput = standardOutput;
  }

  /** @returns what writes a call's line; undefined where no audit log is configured */
  for(config: GatewayConfig["audit"]): OnCall | undefined {
    if (config?.file !== this.#open?.path) {
      this.close();
      this.#open = config === undefined ? null : this.#openFile(config.file);
    }
    const destination = this.#open?.destination;
    if (destination === undefined) return undefined;
    return (call) => void destination.write(`${JSON.stringify({ time: new Date().toISOString(), ...call })}\n`);
  }

  /** Writes out what is still held in memory. */
  close(): void {
    this.#open?.close();
    this.#open = null;
  }

  #openFile(path: string): OpenFile {
    if (path === "-") return { path, destination: this.#standardOutput, close: () => undefined };
    const file = pino.destination({ dest: path, append: true, mkdir: true, sync: false });
    return { path, destination: file, close: () => file.end() };
  }
}
