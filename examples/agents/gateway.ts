/** The gateway that an example talks to: one that runs already, or the packaged sample in a process of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

export interface Gateway extends AsyncDisposable {
  readonly url: string;
}

/** @param url of a gateway that runs; left out, the sample is served on a free port until disposal */
export async function gateway(url?: string): Promise<Gateway> {
  if (url !== undefined) return { url: url.replace(/\/$/, ""), [Symbol.asyncDispose]: async () => {} };
  const args = ["--import", "tsx", "src/main.ts", "serve", "--port", "0"];
  const child = spawn(process.execPath, args, { cwd: REPOSITORY, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const started = await new Promise<string>((resolve, reject) => {
    let written = "";
    const read = (chunk: Buffer) => {
      written += chunk.toString("utf8");
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(written) ?? [];
      if (address) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`the gateway ended with ${code}: ${written}`)));
  });
  return {
    url: started,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    }
  };
}

/** What a request needs beside its body: a key, where the gateway has tenants. */
export function headers(): Record<string, string> {
  const key = process.env.FOCOWIKI_GATEWAY_KEY;
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
