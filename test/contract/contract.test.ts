/**
 * One table of requests over every implementation of the Developer OpenAPI at hand: the embedded upstream, the replayed
 * answers of a real one where they are on this machine, and a live one where `FOCOWIKI_URL` and `FOCOWIKI_API_KEY` say
 * where it is.
 */
import { describe, test } from "vitest";
import { RECORDED_KNOWLEDGE_BASE, RECORDINGS_ABSENT, recordingsFolder, startReplay } from "../harness/recordings.ts";
import { startEmbeddedSample } from "./sample.ts";
import { contractSuite } from "./suite.ts";
import { TABLE } from "./table.ts";
import { discoverWorld, type World } from "./world.ts";

contractSuite(
  "the embedded upstream",
  async () => {
    const sample = await startEmbeddedSample();
    const world = await discoverWorld("embedded", sample.url, sample.apiKey);
    return { world, [Symbol.asyncDispose]: () => sample[Symbol.asyncDispose]() };
  },
  TABLE.length
);

if (recordingsFolder() === null) {
  describe("the contract over the replayed recordings", () => {
    test.skip(RECORDINGS_ABSENT, () => undefined);
  });
} else {
  contractSuite(
    "the replayed recordings",
    async () => {
      // Pages of one list must be of one revision; these lay the ones that belong together over the others.
      const whole = [
        "knowledge-bases.list",
        "related.edge-study",
        "graph.expand-depth2",
        "search.default",
        "search.page1"
      ];
      const replay = await startReplay({ with: whole });
      return { world: recordedWorld(replay.url, replay.key), [Symbol.asyncDispose]: replay.close };
    },
    TABLE.length - 3
  );
}

const { FOCOWIKI_URL: url, FOCOWIKI_API_KEY: key } = process.env;
if (url && key) {
  contractSuite(
    "a live upstream",
    async () => ({ world: await discoverWorld("live", url, key), [Symbol.asyncDispose]: async () => undefined }),
    TABLE.length - 10
  );
} else {
  describe("the contract over a live upstream", () => {
    test.skip("FOCOWIKI_URL and FOCOWIKI_API_KEY are not set", () => undefined);
  });
}

function recordedWorld(url: string, key: string): World {
  return {
    name: "replay",
    url,
    key,
    knowledgeBase: RECORDED_KNOWLEDGE_BASE,
    empty: "knowledge-base-7a142000-196e-487c-85d8-60b90379d7db",
    seed: { id: "source-file-027c2d77-1468-4f66-8a68-b7e0a1cf683f", path: "pages/research/edge-cache-study.md" },
    page: { id: "source-file-943ecc9c-88ed-4a17-8a85-18cf7c46119c", path: "pages/technical/api/pagination.md" },
    indexId: "generated-c30345013deb29ca28046a5b282ec642",
    word: "cache"
  };
}
