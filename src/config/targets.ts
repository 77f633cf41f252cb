/** What the names in a grant mean: knowledge bases by slug or by upstream id. */
export interface KnowledgeBaseRef {
  /** The slug, or the upstream id where it has none. */
  readonly key: string;
  readonly upstream: string;
  readonly id: string;
}

/** What a configuration must hold for its names to be resolved. */
export interface Targets {
  /** Only the names matter. */
  readonly upstreams: Readonly<Record<string, unknown>>;
  readonly knowledgeBases: Readonly<Record<string, { readonly upstream: string; readonly id: string }>>;
}

/** Every knowledge base that has a slug, in the configuration's order. */
export function sluggedKnowledgeBases(config: Targets): readonly KnowledgeBaseRef[] {
  return Object.entries(config.knowledgeBases).map(([key, { upstream, id }]) => ({ key, upstream, id }));
}

/**
 * @param name a slug, or an upstream id
 * @param upstream the grant's `upstream`, which tells apart equal ids
 * @returns the knowledge base, or in words why the name does not mean exactly one
 */
export function resolveKnowledgeBase(
  config: Targets,
  name: string,
  upstream: string | undefined
): KnowledgeBaseRef | string {
  const slugged = sluggedKnowledgeBases(config);
  const elsewhere = (ref: KnowledgeBaseRef): boolean => upstream !== undefined && ref.upstream !== upstream;
  const bySlug = slugged.find((ref) => ref.key === name);
  if (bySlug !== undefined) {
    return elsewhere(bySlug) ? `${name} is in the upstream ${bySlug.upstream}, not in ${upstream}` : bySlug;
  }
  const [byId, another] = slugged.filter((ref) => ref.id === name && !elsewhere(ref));
  if (another !== undefined) return `${name} is an id in several upstreams; name its slug, or add upstream`;
  if (byId !== undefined) return byId;
  const upstreams = Object.keys(config.upstreams);
  const [only] = upstreams.length === 1 && looksLikeId(name) ? upstreams : [];
  const home = upstream ?? only;
  if (home !== undefined) return { key: name, upstream: home, id: name };
  return `${name} is no slug in knowledgeBases; to grant an upstream id add upstream: one of ${upstreams.join(", ")}`;
}

/** Ids are opaque, but one without any digit is a mistyped slug rather than an id. */
export function looksLikeId(name: string): boolean {
  return /\d/.test(name) || name.startsWith("knowledge-base-");
}
