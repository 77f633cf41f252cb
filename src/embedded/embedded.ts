/**
 * The embedded upstream: a folder of Markdown behind the Developer OpenAPI's read operations, on a loopback port of its
 * own. The gateway reaches it over HTTP like any upstream.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createHttpServer } from "./http.ts";
import type { RateLimit } from "./rate-limit.ts";
import { DEFAULT_MAXIMA, type Maxima } from "./routes.ts";
import type { Warning } from "./scan.ts";
import { SearchCursors } from "./search-cursors.ts";
import { Shelf } from "./shelf.ts";
import { slugsOf } from "./slug.ts";
import { FolderWatch } from "./watch.ts";

export type { Warning } from "./scan.ts";

export interface EmbeddedOptions {
  /** Each direct subfolder is a knowledge base; a folder without subfolders that hold Markdown is one itself. */
  readonly folder: string;
  readonly host?: "127.0.0.1";
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default: a random one. */
  readonly apiKey?: string;
  /** Default null: requests are not counted. */
  readonly rateLimit?: RateLimit | null;
  /** The most bytes a file may have: larger ones in the folder are skipped. Default 10 MiB. */
  readonly contentBytes?: number;
  /** The largest `limit` of lists, for a deployment that allows less than 200 rows, 500 in a tree. */
  readonly maxima?: Partial<Maxima>;
  /** How long a search's cursor lives. Default 900. */
  readonly searchCursorSeconds?: number;
  /** Told once of each file that is not served as it stands, and why. */
  readonly onWarning?: (warning: Warning) => void;
  /** Default true: changes on disk are served without `refresh()`. */
  readonly watch?: boolean;
  /** How long the folder must be quiet before it is read again. Default 100. */
  readonly debounceMs?: number;
}

interface EmbeddedKnowledgeBase {
  readonly id: string;
  readonly name: string;
  /** Fit to be a knowledge base's name in the configuration; each once. */
  readonly slug: string;
}

export interface EmbeddedUpstream extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly apiKey: string;
  /** In the order of their ids; as they are when this is read. */
  readonly knowledgeBases: readonly EmbeddedKnowledgeBase[];
  /** Reads the folder again; resolves when what is on disk now is served. */
  refresh(): Promise<void>;
  /** Stops watching and listening; answers under way are finished. */
  close(): Promise<void>;
}

const CONTENT_BYTES = 10_485_760;

/** @throws Error where the folder cannot be read or the port cannot be had */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedUpstream> {
  const contentBytes = options.contentBytes ?? CONTENT_BYTES;
  const apiKey = options.apiKey ?? randomBytes(32).toString("base64url");
  const onWarning = options.onWarning ?? (() => undefined);
  const shelf = await Shelf.open({ folder: options.folder, contentBytes, onWarning });
  const server = createHttpServer({
    apiKey,
    rateLimit: options.rateLimit ?? null,
    service: {
      shelf,
      contentBytes,
      maxima: { ...DEFAULT_MAXIMA, ...options.maxima },
      searchCursors: new SearchCursors(options.searchCursorSeconds ?? 900)
    }
  });
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const watch = options.watch === false ? null : watchShelf(shelf, options);
  const close = async (): Promise<void> => {
    watch?.close();
    const closed = once(server, "close");
    server.close();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    get knowledgeBases() {
      const held = shelf.list();
      const slugs = slugsOf(held.map(({ name }) => name));
      return held.map(({ id, snapshot }, index) => ({ id, name: snapshot.about.name, slug: slugs[index] ?? id }));
    },
    refresh: () => shelf.refresh(),
    close,
    [Symbol.asyncDispose]: close
  };
}

function watchShelf(shelf: Shelf, options: EmbeddedOptions): FolderWatch {
  return new FolderWatch({
    folder: options.folder,
    debounceMs: options.debounceMs ?? 100,
    onChange: () =>
      shelf.refresh().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        options.onWarning?.({ file: ".", reason: `the folder could not be read again: ${reason}` });
      })
  });
}
