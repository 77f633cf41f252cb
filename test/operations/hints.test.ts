/** What another replica's check may do to what this one knows. */
import { expect, it } from "vitest";
import { Revisions } from "../../src/knowledge/revisions.ts";
import type { KnowledgeBase } from "../../src/upstream/contract.ts";
import type { Upstream } from "../../src/upstream/upstream.ts";

const TRUST_MS = 1000;
const ID = "knowledge-base-1";

function at(revision: number): KnowledgeBase {
  const time = "2026-01-02T03:04:05.000Z";
  return {
    knowledgeBaseId: ID,
    name: "Handbook",
    description: null,
    activeContentRevision: revision,
    createdAt: time,
    updatedAt: time
  };
}

function revisions() {
  const clock = { now: 10_000 };
  const upstream = { name: "main" } as Upstream;
  const known = new Revisions(upstream, TRUST_MS, () => clock.now);
  const adopt = (knowledgeBase: KnowledgeBase | null, sentAt: number) =>
    known.adopt({ knowledgeBaseId: ID, knowledgeBase, sentAt });
  return { clock, adopt, revision: () => known.trusted(ID)?.activeContentRevision };
}

it("invariant 7: a hint is trusted from when its check was sent, not from when it came", () => {
  const { clock, adopt, revision } = revisions();
  adopt(at(1), 9_500);
  expect(revision()).toBe(1);
  clock.now = 10_499;
  expect(revision()).toBe(1);
  clock.now = 10_500;
  expect(revision()).toBeUndefined();
});

it("invariant 7: a hint that comes late never replaces what is known since", () => {
  const { adopt, revision } = revisions();
  adopt(at(2), 9_900);
  adopt(at(1), 9_800);
  expect(revision()).toBe(2);
  adopt(null, 9_800);
  expect(revision()).toBe(2);
});

it("invariant 7: a hint from a clock that is ahead is trusted no longer than one from now", () => {
  const { clock, adopt, revision } = revisions();
  adopt(at(1), 99_000);
  clock.now += TRUST_MS;
  expect(revision()).toBeUndefined();
  adopt(at(2), clock.now);
  expect(revision()).toBe(2);
});

it("a hint that the knowledge base is gone only makes this replica look for itself", () => {
  const { adopt, revision } = revisions();
  adopt(at(1), 9_900);
  adopt(null, 9_950);
  expect(revision()).toBeUndefined();
});
