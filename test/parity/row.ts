/** One line of the parity table, and the question that each read is usually asked. */
import type { Operation } from "../../src/upstream/operations.ts";
import type { FakeAnswer, FakeUpstream } from "../harness/fake-upstream.ts";
import type { ReadName } from "./reads.ts";
import type { Args, SurfaceName } from "./surfaces.ts";
import { type Caller, fileId, knowledgeBaseId, leafOf } from "./world.ts";

export interface ExpectedError {
  readonly code: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whose request id it carries: the upstream's where its answer brought the error, else the gateway's. */
  readonly by?: "upstream";
}

export interface Expected {
  /** Paths of the rows or of the one file, ids of knowledge bases, a text; none for an overview, which has no name. */
  readonly rows?: readonly string[];
  /** Of a list; false where left out. */
  readonly hasMore?: boolean;
  readonly error?: ExpectedError;
  /** Everything that the upstream is asked, in order, as `Cold.asked` renders it. */
  readonly asked: readonly string[];
}

/** What is otherwise through one surface. */
export interface Exception extends Partial<Omit<Expected, "error">> {
  readonly because: string;
  /** Its message is not compared: it has the surface's own words. Null: there is none. */
  readonly error?: ExpectedError | null;
  /** Lines in the audit log; one where left out. */
  readonly reads?: number;
  readonly logged?: Operation;
}

/** A row holds for all surfaces that have the read, but for those that `except` names. */
export interface Row extends Expected {
  readonly read: ReadName;
  readonly state: string;
  /** `default` where left out. */
  readonly caller?: Caller;
  readonly args: Args;
  /** What the audit log calls it; the read's own name where left out. */
  readonly logged?: Operation;
  /** What the upstream says to the read, in place of what it would say by itself. */
  readonly answer?: FakeAnswer;
  readonly prepare?: (upstream: FakeUpstream) => void;
  readonly except?: Exceptions;
}

export type Exceptions = Partial<Readonly<Record<SurfaceName, Exception>>>;

export type Question = Omit<Row, "read" | "state">;

export const REVISION = "getKnowledgeBase";
export const ONE = fileId("pages/one.md");
const TEXT = "# One\n\nThe cache.\n";

/** A page of each list, one file, one object. Lists have a limit, without which the mirror keeps the upstream's own. */
export const USUAL: Readonly<Record<ReadName, Question>> = {
  knowledgeBases: {
    args: { limit: 2 },
    asked: ["listKnowledgeBases limit=2"],
    rows: [knowledgeBaseId("handbook"), knowledgeBaseId("blank")],
    hasMore: true
  },
  knowledgeBase: { args: {}, asked: [REVISION], rows: [knowledgeBaseId("handbook")] },
  tree: {
    args: { parentPath: "pages", limit: 6 },
    asked: [REVISION, "listKnowledgeBaseTree limit=6 parentPath=pages"],
    rows: ["pages/guides", leafOf("pages"), "pages/index.md", "pages/one.md", "pages/secret", "pages/two.md"],
    hasMore: true
  },
  file: { args: { fileId: ONE }, asked: [REVISION, "getFileById pages/one.md"], rows: ["pages/one.md"] },
  contentById: { args: { fileId: ONE }, asked: [REVISION, "getFileContentById pages/one.md"], rows: ["pages/one.md"] },
  contentByPath: {
    args: { path: "pages/one.md" },
    asked: [REVISION, "getFileContentByPath path=pages/one.md"],
    rows: ["pages/one.md"]
  },
  textById: { args: { fileId: ONE }, asked: [REVISION, "getFileContentById pages/one.md"], rows: [TEXT] },
  textByPath: {
    args: { path: "pages/one.md" },
    asked: [REVISION, "getFileContentByPath path=pages/one.md"],
    rows: [TEXT]
  },
  search: {
    args: { query: "cache", limit: 2 },
    asked: [REVISION, "searchGeneratedFiles limit=2 query=cache"],
    rows: ["pages/one.md", "pages/two.md"],
    hasMore: true
  },
  related: {
    args: { fileId: ONE, limit: 2 },
    asked: [REVISION, "listRelatedFiles pages/one.md limit=2"],
    rows: ["pages/two.md", "pages/secret/four.md"],
    hasMore: true
  },
  expansion: {
    args: { fileId: ONE, depth: 2, fanout: 5, limit: 4 },
    asked: [REVISION, "expandGraph depth=2 fanout=5 fileId=pages/one.md limit=4"],
    rows: ["pages/two.md", "pages/secret/four.md", "pages/guides/three.md", "pages/guides/three.md"],
    hasMore: true
  },
  overview: { args: {}, asked: [REVISION, "getGraphOverview"], rows: [] }
};

/** Whole answers, metadata beside content. */
export const WHOLE = ["contentById", "contentByPath"] as const satisfies readonly ReadName[];
/** The same reads, asked for the content alone. */
export const ALONE = ["textById", "textByPath"] as const satisfies readonly ReadName[];

const names = Object.keys(USUAL) as ReadName[];
const without = (left: readonly ReadName[]) => names.filter((name) => !left.includes(name));

/** The ten reads, where they succeed and where they fail. */
export const SUCCEEDING: readonly ReadName[] = without(ALONE);
export const FAILING: readonly ReadName[] = without(WHOLE);
