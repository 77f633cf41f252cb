/** A chat API as these examples use one: messages and tools in, either tool calls or an answer out. */

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

export type Completion = { readonly toolCalls: readonly ToolCall[] } | { readonly answer: string };

/** Put your vendor's client behind this to run the examples with a real model. */
export type Model = (conversation: {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
}) => Promise<Completion>;

/** What a tool answered, as the text that the model is given. */
export type CallTool = (call: ToolCall) => Promise<string>;
