import type { Variables } from "relay-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeNodeId } from "../../../src/graphql/global-id.ts";
import { type Artifacts, compile, LIST_NAMES, type ListName } from "./relay-documents.ts";
import { openList, relayEnvironment } from "./relay-pagination.ts";
import { type ServedSample, serveSample, WALKS } from "./sample.ts";

let sample: ServedSample;
let artifacts: Readonly<Record<ListName, Artifacts>>;
let variables: Variables;

beforeAll(async () => {
  sample = await serveSample();
  artifacts = await compile();
  const { key, directory } = sample;
  variables = {
    key,
    directory,
    id: encodeNodeId({ type: "Directory", key, path: directory }),
    query: "station data readings",
    path: "pages/operations/backup-and-restore.md"
  };
});
afterAll(() => sample[Symbol.asyncDispose]());

function open<Node>(list: ListName, first: number) {
  return openList<Node>(relayEnvironment(sample.endpoint), artifacts[list], { ...variables, first, after: null });
}

describe("invariant 5: Relay's pagination container, its documents compiled by relay-compiler", () => {
  test.each(WALKS)("gives each entry of a directory once, first: %i and then %i", async (first, then) => {
    const { paths } = sample;
    const list = await open<{ readonly path: string }>("tree", first);
    const shown = () => list.nodes().map(({ path }) => path);
    expect(shown()).toEqual(paths.slice(0, first));
    while (list.hasNext) {
      const before = shown().length;
      expect(before).toBeLessThan(paths.length);
      await list.loadNext(then);
      expect(shown()).toEqual(paths.slice(0, before + then));
    }
    expect(shown()).toEqual(paths);
  });

  describe.each(LIST_NAMES)("walks %s", (list) => {
    test.each(WALKS)("like one page of everything, first: %i and then %i", async (first, then) => {
      const everything = await open(list, 50);
      while (everything.hasNext) await everything.loadNext(50);
      const walked = await open(list, first);
      for (let rows = walked.nodes().length; walked.hasNext; rows = walked.nodes().length) {
        await walked.loadNext(then);
        expect(walked.nodes().length).toBeGreaterThan(rows);
      }
      expect(walked.nodes()).toEqual(everything.nodes());
    });
  });
});
