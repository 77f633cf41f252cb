/** Ways in which an upstream's answer goes wrong on the wire. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export type FaultName =
  /** Never answers. */
  | "hang"
  /** Closes the connection in good order, without an answer. */
  | "close"
  /** Closes the connection with a reset before any byte of an answer. */
  | "reset"
  /** A part of the headers, then a reset. */
  | "reset-in-headers"
  /** Half an answer, then a reset. */
  | "reset-in-body"
  /** A part of the headers, then nothing. */
  | "hang-in-headers"
  /** Half an answer, then nothing. */
  | "hang-in-body"
  /** Headers, then a byte now and then, without end. */
  | "drip"
  /** Fewer bytes than `content-length` promises. */
  | "wrong-length"
  /** Half an answer on a connection that was to end with it, and does. */
  | "cut-off"
  /** The same without a length, in chunks. */
  | "cut-off-chunks"
  /** Headers larger than any client takes. */
  | "huge-headers"
  /** More bytes than `content-length` promises. */
  | "overlong"
  /** Chunks whose sizes are no numbers. */
  | "bad-chunks"
  /** Bytes that are not HTTP. */
  | "not-http"
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

/** Packed once a size: packing takes longer than everything else that a fault does. */
const bombs = new Map<number, Buffer>();

function bombOf(bytes: number): Buffer {
  const packed = bombs.get(bytes) ?? gzipSync(`"${"0".repeat(bytes)}"`);
  bombs.set(bytes, packed);
  return packed;
}

const CHUNKED = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n";

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
    case "close":
      response.socket?.end();
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "reset-in-headers":
      response.socket?.write(`HTTP/1.1 200 OK\r\nx-marker: ${fault.marker ?? ""}`, () =>
        response.socket?.resetAndDestroy()
      );
      return;
    case "hang-in-headers":
      response.socket?.write(`HTTP/1.1 200 OK\r\nx-marker: ${fault.marker ?? ""}`);
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
    case "cut-off":
      response.socket?.end(
        `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${half}`
      );
      return;
    case "cut-off-chunks":
      response.socket?.end(`${CHUNKED}connection: close\r\n\r\n${half.length.toString(16)}\r\n${half}\r\n`);
      return;
    case "huge-headers":
      start({ ...json, "x-marker": (fault.marker ?? "x").repeat(10_000) });
      response.end(text);
      return;
    case "overlong":
      start({ ...json, "content-length": String(half.length) });
      response.socket?.write(text);
      response.socket?.end();
      return;
    case "bad-chunks":
      response.socket?.end(`${CHUNKED}\r\nzz\r\n${text}`);
      return;
    case "not-http":
      response.socket?.end(`220 mail ${fault.marker ?? ""} ready\r\n`);
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
      const packed = bombOf(fault.bytes ?? 64 * MEBIBYTE);
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
