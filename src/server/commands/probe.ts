/** Asks a configuration's upstreams what `check` wants to know, with the client that serves in production. */
import type { ErrorCode } from "../../errors.ts";
import { toGatewayError } from "../../errors.ts";
import type { Probe } from "../../policy/check.ts";
import { createUpstream } from "../../upstream/client.ts";
import type { Upstream } from "../../upstream/upstream.ts";

export const probeUpstream: Probe = async (name, config, knowledgeBaseIds) => {
  const upstream = createUpstream({ name, ...config });
  try {
    await upstream.read("getHealth", {});
    const { product, version } = (await upstream.read("getVersion", {})).body;
    const failures = await Promise.all(knowledgeBaseIds.map((id) => failureOf(upstream, id)));
    return {
      failure: failures.find((code) => code !== null && code !== "NOT_FOUND") ?? null,
      version: `${product} ${version}`,
      missing: knowledgeBaseIds.filter((_, index) => failures[index] === "NOT_FOUND")
    };
  } catch (error) {
    return { failure: toGatewayError(error).code, version: null, missing: [] };
  } finally {
    await upstream.close();
  }
};

async function failureOf(upstream: Upstream, knowledgeBaseId: string): Promise<ErrorCode | null> {
  try {
    await upstream.read("getKnowledgeBase", { ids: { knowledgeBaseId } });
    return null;
  } catch (error) {
    return toGatewayError(error).code;
  }
}
