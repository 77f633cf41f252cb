/**
 * A file in an answer. It answers from what the answer that led to it already carried, null included, and asks for the
 * detail only when a selected field is missing; all fields of one file share that one read, or its one failure.
 */
import type { FileContent, GeneratedFile, KnowledgeBaseReader } from "../../knowledge/types.ts";

type DetailField =
  | "sourceFileId"
  | "path"
  | "title"
  | "description"
  | "tags"
  | "frontmatter"
  | "fileKind"
  | "contentType"
  | "sizeBytes"
  | "okfType"
  | "okfSignals"
  | "contentAvailable"
  | "readActions";

/** What an answer may carry of a file. A field left out is one that the answer does not have. */
export type CarriedFile = { readonly fileId: string; readonly activeContentRevision?: number | null | undefined } & {
  readonly [Field in DetailField]?: GeneratedFile[Field] | undefined;
};

export class FileNode {
  readonly __typename = "File";
  readonly reads: KnowledgeBaseReader;
  readonly #carried: CarriedFile;
  readonly #content: Promise<FileContent> | undefined;
  #detail: GeneratedFile | Promise<GeneratedFile> | undefined;

  /** @param content the read of the content, where it has begun already */
  constructor(reads: KnowledgeBaseReader, carried: CarriedFile, content?: Promise<FileContent>) {
    this.reads = reads;
    this.#carried = carried;
    this.#content = content;
  }

  /** From the whole detail: what it lacks, this release of the upstream does not have. */
  static detailed(reads: KnowledgeBaseReader, detail: GeneratedFile, content?: Promise<FileContent>): FileNode {
    const file = new FileNode(reads, detail, content);
    file.#detail = detail;
    return file;
  }

  get fileId(): string {
    return this.#carried.fileId;
  }

  /**
   * At once where the field was carried, else from the detail.
   * @throws GatewayError FORBIDDEN without `get_file` where the detail is needed, and what its read brings
   */
  field<Field extends DetailField>(field: Field): GeneratedFile[Field] | Promise<GeneratedFile[Field]> {
    const carried = this.#carried[field] as GeneratedFile[Field] | undefined;
    return carried === undefined ? this.#ofDetail(field) : carried;
  }

  activeContentRevision(): number | null | Promise<number> {
    const carried = this.#carried.activeContentRevision;
    return carried === undefined ? this.#ofDetail("activeContentRevision") : carried;
  }

  /** @throws GatewayError FORBIDDEN without `read_file`, PAYLOAD_TOO_LARGE above the tenant's `contentBytes` */
  async content(): Promise<string> {
    const read = this.#content ?? this.reads.content({ fileId: this.fileId });
    return (await read).content;
  }

  /** At once where the detail is held, which spares the executor a promise for each field. */
  #ofDetail<Field extends keyof GeneratedFile>(field: Field): GeneratedFile[Field] | Promise<GeneratedFile[Field]> {
    const detail = this.#detail ?? this.reads.file(this.fileId);
    this.#detail = detail;
    return detail instanceof Promise ? detail.then((read) => read[field]) : detail[field];
  }
}
