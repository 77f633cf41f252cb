/** HTTP as bytes, for requests that no client library would send. */
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  /** As it goes on the wire. */
  readonly target: string;
  /** `Host` is added where it is left out. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

/** Sends one request and reads its answer to the end of the connection. */
export function sendRequest(
  url: string,
  { method = "GET", target, headers = [], body = "" }: RawRequest
): Promise<RawAnswer> {
  const { host } = new URL(url);
  const own = headers.some(([name]) => name.toLowerCase() === "host") ? [] : [["Host", host] as const];
  const lines = [...own, ...headers, ["Connection", "close"] as const].map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "utf8");
  return sendBytes(url, Buffer.concat([head, Buffer.from(body)]));
}

/** Sends bytes as they are. */
export function sendBytes(url: string, bytes: Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(parseAnswer(Buffer.concat(chunks))));
  });
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  );
  return { status: Number(statusLine.split(" ")[1]), headers, text: bytes.subarray(end + 4).toString("utf8") };
}
