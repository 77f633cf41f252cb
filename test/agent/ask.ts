/** One request to the REST surface, as the server hands it over. */
import { createAgent } from "../../src/agent/agent.ts";
import { responseOf, wholeOf } from "../harness/whole.ts";
import { type FakeOptions, type FakeReader, fakeReader } from "./fake-reader.ts";

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  readonly reader: FakeReader;
  readonly unexpected: unknown[];
}

export async function ask(target: string, options: FakeOptions = {}, init: RequestInit = {}): Promise<Asked> {
  const reader = fakeReader(options);
  const unexpected: unknown[] = [];
  const agent = createAgent({ version: "1.2.3", onUnexpected: (error) => unexpected.push(error) });
  const response = responseOf(
    await agent.handle(await wholeOf(new Request(`http://127.0.0.1:4000${target}`, init)), reader)
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json" && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : null,
    reader,
    unexpected
  };
}

export function post(body: string, type: string | null = "application/json"): RequestInit {
  return {
    method: "POST",
    body: new TextEncoder().encode(body),
    headers: type === null ? {} : { "content-type": type }
  };
}
