/** An uploaded page: one Markdown file of the folder, read and understood. */
import { createHash } from "node:crypto";
import { type Frontmatter, splitFrontmatter, tagsOf, textValue } from "./frontmatter.ts";
import { generatedFileId, sourceFileId } from "./ids.ts";
import { outlineOf } from "./links.ts";

export interface Page {
  readonly kind: "page";
  readonly id: string;
  /** A second id that opens the same page. */
  readonly alias: string;
  readonly path: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly type: string | null;
  readonly frontmatter: Frontmatter;
  /** The whole text, without a byte order mark, line ends as written. */
  readonly content: string;
  /** The text after the frontmatter. */
  readonly body: string;
  readonly sizeBytes: number;
  /** Link targets as written. */
  readonly targets: readonly string[];
  /** Tells whether a file that was touched was also changed. */
  readonly digest: string;
  /** 1 when first seen, and one more for each change. */
  readonly resourceRevision: number;
}

export interface PageSource {
  readonly knowledgeBase: string;
  readonly path: string;
  readonly content: string;
  /** As the file has it on disk. */
  readonly sizeBytes: number;
  readonly resourceRevision: number;
}

/** @param warn told of what was left out of the page's understanding; the page itself is served all the same */
export function readPage(source: PageSource, warn: (reason: string) => void): Page {
  const { knowledgeBase, path, content, sizeBytes, resourceRevision } = source;
  const { frontmatter, body, problem } = splitFrontmatter(content);
  if (problem !== null) warn(`its frontmatter is not used: ${problem}`);
  const outline = outlineOf(body);
  return {
    kind: "page",
    id: sourceFileId(knowledgeBase, path),
    alias: generatedFileId(knowledgeBase, path),
    path,
    title: textValue(frontmatter.title) ?? outline.heading ?? nameWithoutExtension(path),
    description: textValue(frontmatter.description),
    tags: tagsOf(frontmatter),
    type: textValue(frontmatter.type),
    frontmatter,
    content,
    body,
    sizeBytes,
    targets: outline.targets,
    digest: digestOf(content),
    resourceRevision
  };
}

export function digestOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

function nameWithoutExtension(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
}
