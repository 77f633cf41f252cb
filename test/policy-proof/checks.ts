/**
 * Every single check that stands between a caller and what is hidden from it: the text that makes it, what the code says
 * without it, and the test that turns red then. `mutations.ts` takes them out, one at a time.
 */

/** A test file of this folder, without its ending. */
export type Shower = "properties" | "twins" | "equality" | "paths" | "operations" | "authentication" | "limits";

export interface Check {
  /** What the check says. */
  readonly says: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly text: string;
  readonly without: string;
  /** Where the same check is made a second time, on other grounds: taken out with the first. */
  readonly again?: { readonly text: string; readonly without: string };
  readonly shownBy: Shower;
}

const files = (
  file: string,
  checks: readonly (readonly [says: string, text: string, without: string, by: Shower])[]
): Check[] => checks.map(([says, text, without, shownBy]) => ({ says, file, text, without, shownBy }));

export const CHECKS: readonly Check[] = [
  // Which grants are whose.
  ...files("src/policy/grants.ts", [
    [
      "a grant is for its subjects",
      "grants.filter((grant) => grant.appliesTo(subject))",
      "grants.filter(() => true)",
      "properties"
    ]
  ]),
  ...files("src/policy/scope.ts", [
    [
      "a grant of a whole upstream is for that upstream",
      "grant.wholeUpstream === upstream || grant.knowledgeBases",
      "grant.wholeUpstream !== null || grant.knowledgeBases",
      "properties"
    ],
    [
      "a grant by name is for the upstream of that name",
      "ref.upstream === upstream && ref.id === id)\n  );",
      "ref.id === id)\n  );",
      "equality"
    ],
    [
      "a grant by name is for that knowledge base",
      "ref.upstream === upstream && ref.id === id)\n  );",
      "ref.upstream === upstream)\n  );",
      "properties"
    ],
    ["no grant, no knowledge base", "if (covering.length === 0) return null;", "", "equality"]
  ]),

  // What the rules of the grants say of a file.
  ...files("src/policy/rules.ts", [
    [
      "only grants that name the operation open it",
      "all.filter((grant) => grant.operations.has(operation))",
      "all.filter(() => true)",
      "operations"
    ],
    ["an allow restricts", "opening.some((grant) => grant.allow === null) && all", "all", "properties"],
    [
      "a deny restricts, whichever grant it stands in",
      "all.every((grant) => grant.deny.length === 0)",
      "true",
      "properties"
    ],
    ["a deny holds in any case", "compileGlob(pattern, true)", "compileGlob(pattern, false)", "paths"]
  ]),
  ...files("src/policy/files.ts", [
    [
      "a file's path is compared in NFC",
      'const path = target.path.normalize("NFC");',
      "const path = target.path;",
      "paths"
    ],
    [
      "a path in another form is no file",
      'if (!isCanonicalPath(path)) return no("the path is not in the form that the upstream uses");',
      "",
      "paths"
    ],
    ["a deny hides", "if (denied !== null) return no(denied.text, denied.at);", "", "properties"],
    ["a deny of any grant hides", 'ruleOf(rules.all, "deny"', 'ruleOf(rules.opening, "deny"', "properties"],
    [
      "what the upstream says it made is generated",
      "if (target.generated || isGeneratedPath(path))",
      "if (isGeneratedPath(path))",
      "paths"
    ],
    [
      "what has a generated file's name is generated",
      "if (target.generated || isGeneratedPath(path))",
      "if (target.generated)",
      "paths"
    ],
    [
      "a generated file must be named",
      'if (named === null) return no("a generated file, which nothing allows by its name");',
      'if (named === null) return yes("", []);',
      "properties"
    ],
    [
      "a graph file's page must be visible",
      'if (origin.kind === "page" && !decideFile',
      "if (false && !decideFile",
      "paths"
    ],
    [
      "what is made of a directory needs all of it",
      'origin.kind === "directory" ? origin.path : ',
      'origin.kind === "directory" ? null : ',
      "properties"
    ],
    [
      "what is made of everything needs everything",
      'origin.kind === "everything" ? "pages" : null',
      "null",
      "properties"
    ],
    [
      "what nothing allows is hidden",
      'allowed === null ? no("nothing allows it")',
      'allowed === null ? yes("", [])',
      "properties"
    ]
  ]),
  ...files("src/policy/glob.ts", [
    ["rules are compared in NFC", 'pattern.normalize("NFC")', "pattern", "paths"],
    ["wildcards take dotfiles in", "dot: true, nonegate", "dot: false, nonegate", "paths"],
    ["a line separator ends no name", 'flags: "si" }', 'flags: "i" }', "paths"],
    [
      "brackets stand for themselves too",
      "matchers.push(picomatch(escapeBrackets(normal), options));",
      "",
      "properties"
    ],
    [
      "a wildcard names no generated file",
      "names: (path) => matches(path) && alternatives.some((segments) => writesOut(segments, split(path))),",
      "names: matches,",
      "properties"
    ]
  ]),
  ...files("src/policy/directories.ts", [
    [
      "a directory's path is compared in NFC",
      'const directory = path.normalize("NFC");',
      "const directory = path;",
      "paths"
    ],
    ["a directory in another form is none", 'if (!isCanonicalPath(directory)) return "hidden";', "", "paths"],
    ["a directory that a deny covers is hidden", 'if (denyCovers(rules, directory)) return "hidden";', "", "equality"],
    [
      "a directory that no allow reaches is hidden",
      'if (!opens((glob) => glob.reaches(directory))) return "hidden";',
      "",
      "equality"
    ],
    [
      "a directory that a deny reaches into is not surely visible",
      ' && !denyReaches(rules, directory) ? "visible" : "unknown";\n}\n\n/** A directory of generated',
      ' ? "visible" : "unknown";\n}\n\n/** A directory of generated',
      "properties"
    ],
    [
      "a directory that an allow does not cover is not surely visible",
      "return opens((glob) => glob.covers(directory)) &&",
      "return opens(() => true) &&",
      "properties"
    ]
  ]),
  ...files("src/policy/generated-text.ts", [
    [
      "a text that cannot be read is closed",
      "if (named === null) return { allowed: false,",
      "if (named === null) return { allowed: true,",
      "paths"
    ],
    ["a text that names a hidden page is closed", "if (hiddenPage !== undefined) return hiddenPage;", "", "properties"],
    [
      "a text that names a hidden directory is closed",
      '.find((path) => !known.has(path) && access.directory(path, operation) !== "visible");',
      ".find(() => false);",
      "paths"
    ],
    ["a link from the root is one", 'return path.startsWith("/") ? path.slice(1) : posix', "return posix", "paths"]
  ]),

  // The decisions' use: rows and links.
  ...files("src/knowledge/binding.ts", [
    ["every read needs its operation", "if (this.access.operations.has(operation)) return;", "return;", "operations"]
  ]),
  ...files("src/knowledge/visibility.ts", [
    [
      "a row is shown where its file is allowed",
      "access.file(targetOf(row), operation).allowed;",
      "true;",
      "properties"
    ],

    [
      "a link needs its file to be visible to its operation",
      "operation !== undefined && sees(access, row, operation) ? href",
      "operation !== undefined ? href",
      "properties"
    ],
    [
      "a file is shown where it is allowed",
      "return sees(access, file, operation) ? showRow(access, file) : null;",
      "return showRow(access, file);",
      "properties"
    ]
  ]),
  ...files("src/knowledge/visible-tree.ts", [
    [
      "a file's entry is shown where the file is",
      'return sees(access, entry, "list_tree") ? showRow(access, entry) : null;',
      "return showRow(access, entry);",
      "properties"
    ],
    ["a directory's entry is hidden where the rules say so", 'decision === "hidden" || ', "", "properties"],
    [
      "a directory of which the rules do not tell is looked into",
      '(decision === "unknown" && !(await probe(entry.path)))',
      "false",
      "properties"
    ],
    [
      "counts of a directory are not told",
      "return withoutCounts(showRow(access, entry));",
      "return showRow(access, entry);",
      "twins"
    ]
  ]),
  ...files("src/knowledge/probe.ts", [
    [
      "a hidden file makes no directory visible",
      'if (sees(binding.access, entry, "list_tree")) return true;',
      "return true;",
      "properties"
    ],
    [
      "a directory is no more than what is in it",
      'if (decision === "visible") return true;',
      "return true;",
      "properties"
    ]
  ]),
  ...files("src/knowledge/tree.ts", [
    [
      "a hidden directory is not asked for",
      'const closed = !mayHoldVisible(binding, parentPath ?? "root");',
      "const closed = false;",
      "equality"
    ],
    [
      "a directory that the rules hide holds nothing",
      'if (access.directory(parentPath, "list_tree") === "hidden") return false;',
      "",
      "equality"
    ],
    [
      "a hidden file's path is no directory",
      'return !/\\.(md|json)$/i.test(parentPath) || sees(access, { path: parentPath }, "list_tree");',
      "return true;",
      "equality"
    ]
  ]),
  ...files("src/knowledge/files.ts", [
    [
      "a file id is proven before it is used: content",
      'const file = await provenFile(binding, fileId, "read_file", reading);',
      'const { file } = await binding.read("getFileById", { ids: { fileId } }, reading);',
      "equality"
    ],
    [
      "a path that no rule opens is not asked for",
      "if (!sees(binding.access, { path: asked }, operation)) throw notFound();",
      "",
      "equality"
    ],
    [
      "content is shown where its file is",
      "  const file = showFile(binding.access, answer.file, operation);\n  if (file === null) throw notFound();\n  // A graph",
      "  const file = answer.file;\n  // A graph",
      "paths"
    ],
    [
      "a generated file's text is judged before it is shown",
      "if (!decideText(binding.access, targetOf(answer.file), answer.content, operation).allowed) throw notFound();",
      "",
      "paths"
    ],
    ["an answer that proves no path is NOT_FOUND", "throw conceals ? notFound() : error;", "throw error;", "equality"],
    [
      "a detail is shown where its file is",
      "  const file = showFile(binding.access, answer.file, operation);\n  if (file === null) throw notFound();\n  return file;\n",
      "  return answer.file;\n",
      "properties"
    ],
    [
      "a generated hit's text is judged before it is shown",
      'return decideText(binding.access, targetOf(hit), content, "search_files").allowed;',
      "return true;",
      "properties"
    ]
  ]),
  ...files("src/knowledge/search.ts", [
    ["a hit is shown where its file is", '!sees(binding.access, hit, "search_files") || ', "", "properties"],
    ["a hit on hidden words is none", " || !(await provesText(binding, hit, reading))", "", "properties"],
    ["the search's status is of what is visible", 'searchStatus: found ? "ok" : "no_candidates",', "", "twins"],
    ["the graph's numbers are not told", "graphSummary: null,", "", "twins"],
    [
      "the result's numbers are of what is visible",
      "resultSummary: { resultCount: rows.length, hasMore: hasNextPage },\n    message",
      "message",
      "twins"
    ],
    ["the search's message is of what is visible", "message: found ? null : NOTHING_FOUND.message,", "", "twins"],
    ["the search's advice is of what is visible", "nextActions: found ? [] : NOTHING_FOUND.nextActions", "", "twins"],
    ["reranking needs the tenant's limit", "if (reranks && !binding.request.limits.rerank)", "if (false)", "limits"]
  ]),
  ...files("src/knowledge/visible-graph.ts", [
    ["a relation is shown where its file is", "if (!sees(access, relation, operation)) return null;", "", "properties"],
    [
      "a relation from a hidden file is hidden",
      "return reached ? showRow(access, relation) : null;",
      "return showRow(access, relation);",
      "properties"
    ],
    [
      "a graph path is that of a page shown",
      "pages.has(path) && sees(access, { path, sourceFileId: null }, operation)",
      "sees(access, { path, sourceFileId: null }, operation)",
      "paths"
    ],
    [
      "a graph path is one that a rule opens",
      "pages.has(path) && sees(access, { path, sourceFileId: null }, operation)",
      "pages.has(path)",
      "paths"
    ],
    [
      "a hit reached from a hidden file is hidden",
      '&& !(await lookupFor("search_files")(seed))) return null;',
      "&& false) return null;",
      "paths"
    ],
    [
      "a hit's relations need expand_graph",
      "relationships: granted ? relations : null",
      "relationships: context.relationships",
      "properties"
    ],
    [
      "a hit's relations need the hit to be visible to expand_graph",
      'granted && sees(access, hit, "expand_graph") ? (context',
      "granted ? (context",
      "operations"
    ],
    ["a hit's graph file is one that a rule opens", "graphRef: refShown ? graphRef : null,", "graphRef,", "paths"],
    ["a hit's graph paths need expand_graph", ".filter((path) => path === graphRef && refShown)", "", "properties"],
    ["the overview's state is not told", "availability: null,", "", "paths"],
    ["the overview's numbers are not told", "readableFileCount: null, relationshipCount: null", "", "paths"],
    [
      "the overview names what may be listed",
      "byDirectoryPath: followable.listRelationshipsByDirectory ? resources.byDirectoryPath : null,",
      "",
      "paths"
    ],
    ["the overview names what may be read", "graphIndexPath: mayRead ? resources.graphIndexPath : null,", "", "paths"],
    ["the overview's links are such as can be followed", "followable[link] ? href : null", "href", "paths"]
  ]),
  ...files("src/knowledge/relations.ts", [
    [
      "a file id is proven before it is used: related",
      'prove: () => proveVisible(binding, fileId, "read_related", reading),',
      "",
      "properties"
    ],
    [
      "a file id is proven before it is used: expand",
      'if (fileId !== "") await proveVisible(binding, fileId, "expand_graph", reading);',
      "",
      "properties"
    ],
    [
      "what is said of an empty list is not told",
      'if (!binding.access.restricted("read_related")) return page;',
      "return page;",
      "twins"
    ],
    [
      "the expansion's numbers are of what is visible",
      "relationshipCount: rows.length,\n      hasMore: hasNextPage",
      "...body.resultSummary",
      "twins"
    ],
    [
      "the expansion's summary holds nothing else",
      'binding.access.restricted("expand_graph") ? asked(body.resultSummary) : body.resultSummary',
      "body.resultSummary",
      "paths"
    ]
  ]),

  // Knowledge bases.
  ...files("src/knowledge/resolve.ts", [
    [
      "a knowledge base that is not granted costs no request",
      "access.candidates(key);",
      '[access.forId("main", key) ?? { ...access.known[0], id: key } as never];',
      "equality"
    ]
  ]),

  // Cursors.
  ...files("src/knowledge/cursor.ts", [
    [
      "a cursor is its tenant's",
      "JSON.stringify([tenant, knowledgeBaseId",
      "JSON.stringify([knowledgeBaseId",
      "equality"
    ],
    ["a cursor is its knowledge base's", "[tenant, knowledgeBaseId, operation", "[tenant, operation", "equality"],
    ["a cursor is its question's", "operation, given.sort(([a], [b]) => (a < b ? -1 : 1))]", "operation]", "equality"]
  ]),

  // Doors of the surfaces.
  ...files("src/graphql/node.ts", [["a file's node needs get_file", 'reads.require("get_file");', "", "operations"]]),
  ...files("src/graphql/graph.ts", [
    ["a hit's relationships are FORBIDDEN without expand_graph", 'reads.require("expand_graph");', "", "operations"]
  ]),
  ...files("src/mcp/resources/read.ts", [
    [
      "an endpoint of one knowledge base has no resources of another",
      "if (key !== bound.key && key !== bound.id) throw notFound();",
      "return reader.knowledgeBase(key);",
      "equality"
    ]
  ]),
  ...files("src/mcp/scope.ts", [
    [
      "MCP offers the tools that may be called",
      "return (await scope.reader.knowledgeBase(scope.boundTo)).may(operation);",
      "return true;",
      "operations"
    ],
    [
      "MCP offers the tools that may be called anywhere",
      "return scope.reader.viewer.grants.some((grant) => grant.operations.includes(operation));",
      "return true;",
      "operations"
    ]
  ]),
  ...files("src/tools/call.ts", [
    [
      "REST offers the tools that may be called",
      "TOOLS.filter((tool) => knowledgeBase.may(tool.name))",
      "TOOLS.slice()",
      "operations"
    ]
  ]),

  // Who the caller is.
  ...files("src/policy/api-keys.ts", [
    ["a key expires", "found !== null && now < found.expiresAt", "found !== null", "authentication"],
    [
      "a key is known by its hash",
      "if (timingSafeEqual(key.hash, hash)) found = key;",
      "found = key;",
      "authentication"
    ]
  ]),
  ...files("src/policy/tokens.ts", [
    ["a token is for this audience", "    issuer,\n    audience,", "    issuer,", "authentication"],
    ["a token expires", 'requiredClaims: ["exp"],', "", "authentication"],
    ["a token is fresh", "...(maxTokenAge === undefined ? {} : { maxTokenAge }),", "", "authentication"],
    [
      "a token names the tenant",
      "return claimOf(claims, tenantClaim) === tenantValue;",
      "return true;",
      "authentication"
    ],
    ["a token has a subject", 'typeof subject !== "string" || !isSubject(subject)', "false", "authentication"]
  ]),
  {
    says: "a token is of its issuer",
    file: "src/policy/tokens.ts",
    text: "    issuer,\n    audience,",
    without: "    audience,",
    // Unverified, it also chooses whose keys are tried.
    again: { text: "claims.iss === jwt.issuer && ", without: "" },
    shownBy: "authentication"
  },
  ...files("src/policy/jwks.ts", [
    [
      "unknown key ids cost one fetch a cool-down",
      "this.#options.now() - this.#triedAt >= COOL_DOWN_MS",
      "true",
      "authentication"
    ]
  ]),
  ...files("src/policy/client-address.ts", [
    [
      "only a trusted proxy's word counts",
      "if (!isTrusted(client) || forwardedFor === undefined) return client;",
      "if (forwardedFor === undefined) return client;",
      "authentication"
    ],
    [
      "the rightmost hop that is not a proxy is the client",
      "if (!isTrusted(client)) return client;\n    }",
      "}",
      "authentication"
    ]
  ]),
  ...files("src/server/authentication.ts", [
    [
      "failures of an address are counted",
      'failures.count(clientAddress(socket.remoteAddress, headers["x-forwarded-for"]));',
      "",
      "authentication"
    ]
  ]),

  // How much.
  ...files("src/policy/limiter.ts", [
    ["requests at once are bounded", "if (taken >= maximum)", "if (false)", "limits"],
    ["requests a minute are bounded", "await rateOf(requestsPerMinute).consume(tenant);", "", "limits"]
  ]),
  ...files("src/knowledge/lists.ts", [
    [
      "pages are bounded by the tenant",
      "const maximum = Math.min(list.maximum, pageSize);",
      "const maximum = list.maximum;",
      "limits"
    ]
  ]),
  ...files("src/knowledge/budget.ts", [
    ["a request's upstream calls are bounded", "if (this.#spent >= this.limit)", "if (false)", "limits"]
  ]),
  ...files("src/knowledge/files.ts", [
    ["content is bounded", "if (bytes <= maximum) return answer;\n    throw", "return answer;\n    throw", "limits"]
  ]),
  ...files("src/server/body.ts", [
    [
      "bodies are bounded",
      'if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);\n',
      "maxBytes = Number.POSITIVE_INFINITY;\n",
      "limits"
    ]
  ]),
  ...files("src/graphql/limits.ts", [
    ["queries are bounded in depth", "if (depth > limits.queryDepth)", "if (false)", "limits"],
    ["queries are bounded in aliases", "if (aliases > limits.aliases)", "if (false)", "limits"],
    ["queries are bounded in cost", "if (cost > maximum)", "if (false)", "limits"]
  ])
];
