/** Single directories, looked up in the listing that holds them. */
import { describe, expect, it } from "vitest";
import { readingRoom, tenant } from "../harness/reader.ts";

const DIRECTORIES = 45;
const nameOf = (index: number) => `pages/d${String(index).padStart(2, "0")}`;
const pages = Array.from({ length: DIRECTORIES }, (_, index) => ({ path: `${nameOf(index)}/page.md` }));
const maxima = { tree: 20 };
const defaults = { tree: 20 };

describe("a directory among more than a page of them", () => {
  it("is one call where a page holds them all", async () => {
    await using room = await readingRoom({ knowledgeBases: [{ pages }] });
    const { directory } = await room.reader().knowledgeBase(room.fake.knowledgeBase().id);
    expect(await directory(nameOf(44))).toMatchObject({ path: nameOf(44), entryType: "directory" });
    expect(room.fake.requests.map(({ query }) => query.limit)).toEqual([undefined, "500"]);
  });

  it("is found where a deployment takes smaller pages than documented, which is learned once", async () => {
    await using room = await readingRoom({ knowledgeBases: [{ pages }], maxima, defaults });
    const { directory } = await room.reader().knowledgeBase(room.fake.knowledgeBase().id);
    expect(await directory(nameOf(44))).toMatchObject({ path: nameOf(44) });
    expect(await directory(nameOf(3))).toMatchObject({ path: nameOf(3) });
    await expect(directory("pages/none")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const limits = room.fake.requests.map(({ query }) => query.limit);
    expect(limits.filter((limit) => limit === "500")).toHaveLength(1);
  });

  it("invariant 2: is looked into with pages that the deployment takes", async () => {
    const rules = { allow: ["pages/**"], deny: ["pages/d44/**", "**/hidden.md"] };
    await using room = await readingRoom({
      knowledgeBases: [{ pages: [...pages, { path: "pages/d45/hidden.md" }] }],
      maxima,
      defaults,
      tenants: { acme: tenant({ paths: rules }) }
    });
    const { directory } = await room.reader().knowledgeBase(room.fake.knowledgeBase().id);
    expect(await directory(nameOf(43))).toMatchObject({ path: nameOf(43), directFileCount: null });
    for (const hidden of ["pages/d44", "pages/d45", "pages/none"]) {
      await expect(directory(hidden)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});
