/** The packaged sample behind the embedded upstream, with a third knowledge base that is empty. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EmbeddedOptions, type EmbeddedUpstream, startEmbedded } from "../../src/embedded/embedded.ts";

export const SAMPLE_FOLDER = fileURLToPath(new URL("../../examples/knowledge", import.meta.url));

export async function startEmbeddedSample(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedUpstream> {
  const folder = await mkdtemp(join(tmpdir(), "embedded-sample-"));
  await cp(SAMPLE_FOLDER, folder, { recursive: true });
  await mkdir(join(folder, "empty shelf"));
  const upstream = await startEmbedded({ watch: false, ...options, folder });
  const close = async () => {
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url: upstream.url,
    apiKey: upstream.apiKey,
    get knowledgeBases() {
      return upstream.knowledgeBases;
    },
    refresh: () => upstream.refresh(),
    close,
    [Symbol.asyncDispose]: close
  };
}
