/** Ways in which an upstream's answer goes wrong on the wire. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export type FaultName =
  /** Never answers. */
  | "hang"
  /** Closes the connection with a reset before any byte of an answer. */
  | "reset"
  /** Half an answer, then a reset. */
  | "reset-in-body"
  /** Half an answer, then nothing. */
  | "hang-in-body"
  /** Headers, then a byte now and then, without end. */
  | "drip"
  /** Fewer bytes than `content-length` promises. */
  | "wrong-length"
  /** A whole answer whose JSON is cut in half. */
  | "cut-json"
  /** A proxy's page in place of JSON. */
  | "html"
  /** No body at all. */
  | "empty"
  /** A few kilobytes that unpack to `bytes`. */
  | "gzip-bomb"
  /** `bytes` of JSON, as they are. */
  | "huge-body"
  /** 302 to `location`. */
  | "redirect";

export interface Fault {
  readonly fault: FaultName;
  /** Of `html`, `empty`, `cut-json` and `redirect`: 502, 200, 200 and 302 where left out. */
  readonly status?: number;
  /** Of `drip`: 50 where left out. */
  readonly everyMs?: number;
  /** Of `gzip-bomb` and `huge-body`: 64 MiB where left out. */
  readonly bytes?: number;
  /** Of `redirect`. */
  readonly location?: string;
  /** Text that ends up in the answer, to look for where it must not appear. */
  readonly marker?: string;
}

const MEBIBYTE = 1024 * 1024;

/** Sends what the fault says. */
export function sendFault(response: ServerResponse, fault: Fault): void {
  const text = JSON.stringify({ status: "ok", marker: fault.marker ?? "", padding: "x".repeat(200) });
  const json = { "content-type": "application/json" };
  const whole = { ...json, "content-length": String(text.length) };
  const half = text.slice(0, text.length / 2);
  const start = (headers: Record<string, string>, status = fault.status ?? 200) => {
    response.writeHead(status, headers);
    response.flushHeaders();
  };
  switch (fault.fault) {
    case "hang":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "reset-in-body":
      start(whole);
      response.write(half, () => response.socket?.resetAndDestroy());
      return;
    case "hang-in-body":
      start(whole);
      response.write(half);
      return;
    case "drip": {
      start({ ...json, "content-length": String(MEBIBYTE) });
      const drip = setInterval(() => response.write(" "), fault.everyMs ?? 50);
      response.once("close", () => clearInterval(drip));
      return;
    }
    case "wrong-length":
      start({ ...json, "content-length": String(text.length + 10) });
      response.write(text, () => response.socket?.end());
      return;
    case "cut-json":
      start(json);
      response.end(half);
      return;
    case "html":
      start({ "content-type": "text/html" }, fault.status ?? 502);
      response.end(`<html><body><h1>Bad Gateway</h1>${fault.marker ?? ""}</body></html>`);
      return;
    case "empty":
      start({});
      response.end();
      return;
    case "gzip-bomb": {
      const packed = gzipSync(`"${"0".repeat(fault.bytes ?? 64 * MEBIBYTE)}"`);
      start({ ...json, "content-encoding": "gzip", "content-length": String(packed.length) });
      response.end(packed);
      return;
    }
    case "huge-body":
      start(json);
      sendMany(response, fault.bytes ?? 64 * MEBIBYTE);
      return;
    case "redirect":
      start({ location: fault.location ?? "http://127.0.0.1:1/elsewhere" }, fault.status ?? 302);
      response.end();
      return;
  }
}

/** A JSON string of that many characters, no faster than the reader takes it. */
function sendMany(response: ServerResponse, bytes: number): void {
  const chunk = "0".repeat(64 * 1024);
  let left = bytes;
  const more = () => {
    while (left > 0) {
      if (response.destroyed) return;
      left -= chunk.length;
      if (!response.write(chunk)) {
        response.once("drain", more);
        return;
      }
    }
    response.end('"');
  };
  response.write('"');
  more();
}
