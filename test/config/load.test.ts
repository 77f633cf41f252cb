import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type LoadOptions, loadConfig } from "../../src/config/load.ts";
import { problemsOf, shortly, temporaryFolder } from "./files.ts";

const now = Date.parse("2027-06-01T00:00:00Z");
const env = { KEY: "upstream-key", CURSOR: "a-cursor-secret-of-32-characters", EMPTY: "" };
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

const load = (text: string, options: LoadOptions & { files?: Record<string, string> } = {}) => {
  using folder = temporaryFolder({ ...options.files, "gateway.yaml": text });
  return loadConfig(folder.path("gateway.yaml"), env, { now, ...options });
};
const problems = (text: string, options: LoadOptions & { files?: Record<string, string> } = {}) =>
  shortly(problemsOf(() => load(text, options)));

/** Valid, without warnings; cases add to it. */
const base = `server: { cursorSecret: "\${env:CURSOR}" }
upstreams:
  main: { url: https://main.example.com, apiKey: "\${env:KEY}" }
  second: { url: https://second.example.com, apiKey: "\${env:KEY}" }
knowledgeBases:
  handbook: { upstream: main, id: knowledge-base-h }
  wiki: { upstream: second, id: knowledge-base-w }
`;
const tenants = (...lines: string[]) =>
  `${base}tenants:
  acme:
    credentials:
      - { apiKeySha256: ${sha("acme")}, subject: bot }
${lines.map((line) => `    ${line}\n`).join("")}`;
const grant = (text: string) => tenants("grants:", `  - ${text}`);

describe("a valid file", () => {
  it("is filled with defaults and secrets, without warnings", () => {
    const { config, warnings, files, digest, locate } = load(grant("{ knowledgeBases: [handbook] }"));
    expect(warnings).toEqual([]);
    expect(config.server).toMatchObject({ host: "127.0.0.1", port: 4000, cursorSecret: env.CURSOR });
    expect(config.upstreams.main).toMatchObject({ apiKey: "upstream-key", timeoutMs: 10000 });
    expect(config.tenants?.acme?.limits).toMatchObject({ requestsPerMinute: 600, aliases: 30 });
    expect(files).toHaveLength(1);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(locate(["tenants", "acme", "grants", 0, "knowledgeBases"])).toEqual({ line: 13, column: 11 });
  });

  it("may leave out the quotes of references where braces mean a map", () => {
    const text = base.replaceAll(/"(\$\{.*?\})"/g, "$1");
    expect(text).not.toBe(base);
    expect(load(text).config).toEqual(load(base).config);
    expect(problems(text.replace("env:KEY", "env:NOPE"))).toEqual([
      "3: upstreams.main.apiKey: the environment variable NOPE is not set"
    ]);
  });

  it("fills a reference once: what a secret holds is its value", () => {
    using folder = temporaryFolder({ "gateway.yaml": base });
    const KEY = `\${env:CURSOR}`;
    expect(loadConfig(folder.path("gateway.yaml"), { ...env, KEY }).config.upstreams.main?.apiKey).toBe(KEY);
  });

  it("reads `off` as a word", () => {
    const { config } = load(`${base}graphql: { persistedOperations: off }\n`);
    expect(config.graphql.persistedOperations).toBe("off");
  });

  it("may repeat parts with anchors", () => {
    const text = tenants(
      "grants:",
      "  - { knowledgeBases: [handbook], paths: &rules { allow: [pages/**] } }",
      "  - { knowledgeBases: [wiki], paths: *rules }"
    );
    expect(load(text).config.tenants?.acme?.grants[1]?.paths).toEqual({ allow: ["pages/**"] });
  });

  it("takes secrets from files beside it, without the newline at their end", () => {
    const text = `${base}shared: { redisUrl: "redis://:\${file:secrets.txt}@redis:6379" }\n`;
    const { config, files } = load(text, { files: { "secrets.txt": "s3cret\n" } });
    expect(config.shared.redisUrl).toBe("redis://:s3cret@redis:6379");
    expect(files[1]).toMatch(/secrets\.txt$/);
  });

  it("gives way to the command line", () => {
    const { config } = load(base, { server: { host: "::1", port: 0 } });
    expect(config.server).toMatchObject({ host: "::1", port: 0, cursorSecret: env.CURSOR });
  });

  it("has another digest with another secret", () => {
    using folder = temporaryFolder({ "gateway.yaml": base });
    const digest = (KEY: string) => loadConfig(folder.path("gateway.yaml"), { ...env, KEY }).digest;
    expect(digest("a")).not.toBe(digest("b"));
    expect(digest("a")).toBe(digest("a"));
  });
});

describe("every problem at once, with its line", () => {
  it("whatever kinds they are of", () => {
    const text = `server:
  prot: 4000
  port: 99999
  cursorSecret: \${env:NOPE}
upstreams:
  main: { url: "ftp://x", apiKey: \${env:KEY} }
  second:
    url: https://b.example.com
knowledgeBases:
  search: { upstream: main, id: knowledge-base-1 }
  one: { upstream: main, id: knowledge-base-2 }
  two: { upstream: main, id: knowledge-base-2 }
  three: { upstream: nowhere, id: knowledge-base-3 }
tenants:
  acme:
    credentials:
      - { apiKeySha256: ABC, subject: x }
      - { apiKeySha256: ${sha("k")}, subject: bot }
    grants:
      - { knowledgeBases: [one, missing], operations: [search_file], path: {} }
      - knowledgeBases: [two]
        paths:
          allow: ["pages/**"]
          deny:
            - pages/hr/
      - { operations: [read_file] }
  globex:
    credentials:
      - { apiKeySha256: ${sha("k").toUpperCase()}, subject: bot }
    limits: { pageSize: 5000 }
    limits: { pageSize: 50 }
`;
    expect(problems(text)).toEqual([
      "2: server.prot: unknown key",
      "3: server.port: too big: expected number to be <=65535",
      "4: server.cursorSecret: the environment variable NOPE is not set",
      "6: upstreams.main.url: an absolute http or https URL",
      "7: upstreams.second.apiKey: required",
      "10: knowledgeBases.search: not a valid name: reserved: one of tree, files, graph, search, tools, skill.zip",
      "12: knowledgeBases.two.id: the same knowledge base as one",
      "13: knowledgeBases.three.upstream: no upstream nowhere; there are main, second",
      "17: tenants.acme.credentials[0].apiKeySha256: 64 hexadecimal digits: the SHA-256 of the key",
      "20: tenants.acme.grants[0].knowledgeBases[1]: missing is no slug in knowledgeBases; to grant an upstream id add upstream: one of main, second",
      '20: tenants.acme.grants[0].operations[0]: invalid option: expected one of "search_files"|"read_file"|"list_tree"|"get_file"|"read_related"|"expand_graph"',
      "20: tenants.acme.grants[0].path: unknown key",
      "25: tenants.acme.grants[1].paths.deny[0]: matches no file; for all below it write pages/hr/**",
      "26: tenants.acme.grants[2]: grants nothing; add knowledgeBases, or upstream for all of one",
      "27: ~tenants.globex: no grants: the tenant can see nothing",
      "29: tenants.globex.credentials[0]: the same key is in tenants.acme.credentials[1]; a caller must be one tenant's",
      "31: tenants.globex.limits: the key is there twice"
    ]);
  });

  it("syntax errors with their line", () => {
    expect(problems("server:\n  host: [1, 2\nupstreams: {}\n")[0]).toMatch(/^[23]: : /);
    expect(problems("\tserver: {}\n")).toHaveLength(1);
    expect(problems(`a: {\n${"b\n".repeat(50)}`).length).toBeLessThanOrEqual(5);
  });

  it.each([
    ["an empty file", ""],
    ["a list", "- a\n"],
    ["a word", "hello\n"]
  ])("%s is refused", (_, text) => {
    expect(problems(text)).toHaveLength(1);
  });

  it("a file that is not there is refused", () => {
    expect(shortly(problemsOf(() => loadConfig("/nowhere/gateway.yaml", {})))).toEqual([
      "1: : the file cannot be read"
    ]);
  });

  it("aliases that grow without bound are refused", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`
    );
    expect(problems(`l0: &l0 [x]\n${levels.join("\n")}\n`)).toEqual([
      "1: : aliases repeat too much; at most 100 are followed"
    ]);
  });

  it("no message holds a secret's value, however wrong it is", () => {
    const secret = "hunter2";
    using folder = temporaryFolder({
      "gateway.yaml": `server: { cursorSecret: "\${env:S}", metricsToken: "\${env:S}", host: "\${env:S}", port: "\${env:S}" }
upstreams: { main: { url: "\${env:S}", apiKey: "\${env:S}", timeoutMs: "\${env:S}" } }
tenants: { a: { credentials: [{ apiKeySha256: "\${env:S}", subject: s }, { jwt: { issuer: i, audience: a, publicKey: "\${env:S}", algorithms: ["\${env:S}"], tenantClaim: t, tenantValue: v } }] } }
graphql: { persistedOperations: "\${env:S}" }
`
    });
    const found = problemsOf(() => loadConfig(folder.path("gateway.yaml"), { S: secret }));
    expect(found.length).toBeGreaterThan(6);
    expect(JSON.stringify(found)).not.toContain(secret);
  });
});

describe("secrets that are not there", () => {
  it.each([
    [`\${env:NOPE}`, "the environment variable NOPE is not set"],
    [`\${env:EMPTY}`, "the environment variable EMPTY is empty"],
    [`\${file:nope}`, "the file nope cannot be read"],
    [`\${file:empty}`, "the file empty is empty"],
    [`\${vault:x}`, `\${vault:…} is unknown; use \${env:NAME} or \${file:PATH}`],
    [`\${KEY}`, `\${KEY:…} is unknown; use \${env:NAME} or \${file:PATH}`]
  ])("%s", (reference, message) => {
    const text = `upstreams:\n  main:\n    url: https://a.example.com\n    apiKey: ${reference}\n`;
    expect(problems(text, { files: { empty: "\n" } })).toEqual([`4: upstreams.main.apiKey: ${message}`]);
  });
});

describe("grants", () => {
  it.each([
    [
      "{ knowledgeBases: [hndbook] }",
      "hndbook is no slug in knowledgeBases; to grant an upstream id add upstream: one of main, second"
    ],
    [
      "{ knowledgeBases: [knowledge-base-z] }",
      "knowledge-base-z is no slug in knowledgeBases; to grant an upstream id add upstream: one of main, second"
    ],
    ["{ knowledgeBases: [handbook], upstream: second }", "handbook is in the upstream main, not in second"]
  ])("%s", (text, message) => {
    expect(problems(grant(text))).toEqual([`13: tenants.acme.grants[0].knowledgeBases[0]: ${message}`]);
  });

  it("name upstreams that are there", () => {
    expect(problems(grant("{ upstream: third }"))).toEqual([
      "13: tenants.acme.grants[0].upstream: no upstream third; there are main, second"
    ]);
  });

  it("may name an upstream id, alone where there is one upstream", () => {
    expect(load(grant("{ knowledgeBases: [any-id], upstream: main }")).warnings).toEqual([]);
    const one = `upstreams: { main: { url: https://a.example.com, apiKey: "\${env:KEY}" } }\ntenants: { acme: { grants: [{ knowledgeBases: [knowledge-base-z] }] } }\n`;
    expect(load(one).config.tenants?.acme?.grants).toHaveLength(1);
    expect(problems(one.replace("knowledge-base-z", "hndbook")).join()).toContain(
      "hndbook is no slug in knowledgeBases"
    );
  });

  it("of one tenant hold no two knowledge bases with one id", () => {
    const twins = base.replace("id: knowledge-base-w", "id: knowledge-base-h");
    const refused = (grants: string) =>
      problems(
        `${twins}tenants:\n  acme:\n    credentials: [{ apiKeySha256: ${sha("a")}, subject: s }]\n    grants: ${grants}\n`
      );
    const message =
      "grants two knowledge bases with the upstream id knowledge-base-h, of main and second; a tenant can have one";
    expect(refused("[{ knowledgeBases: [handbook, wiki] }]")).toEqual([`11: tenants.acme.grants[0]: ${message}`]);
    expect(refused("[{ upstream: main }, { knowledgeBases: [wiki] }]")).toEqual([
      `11: tenants.acme.grants[1]: ${message}`
    ]);
    expect(load(`${twins}tenants: { acme: { grants: [{ upstream: main }] } }\n`).config.tenants).toBeDefined();
  });
});

describe("credentials", () => {
  const credentials = (...texts: string[]) =>
    `${base}tenants:\n  acme:\n    grants: [{ upstream: main }]\n    credentials:\n${texts.map((text) => `      - ${text}\n`).join("")}`;
  const jwt = (more = "", source = "jwksUrl: https://id.example.com/jwks") =>
    `{ jwt: { issuer: i, audience: a, ${source}, algorithms: [RS256], tenantClaim: org, tenantValue: acme${more} } }`;
  const pem = (type: "spki" | "pkcs8") => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const text =
      type === "spki" ? publicKey.export({ type, format: "pem" }) : privateKey.export({ type, format: "pem" });
    return `publicKey: ${JSON.stringify(text)}`;
  };

  it("that the same token could match are refused", () => {
    const message = "the same token could match tenants.acme.credentials[0]; a caller must be one tenant's";
    expect(problems(credentials(jwt(), jwt()))).toEqual([`13: tenants.acme.credentials[1]: ${message}`]);
    expect(problems(credentials(jwt(), jwt(", typ: at+jwt")))).toEqual([`13: tenants.acme.credentials[1]: ${message}`]);
    expect(problems(credentials(jwt(), jwt("", pem("spki"))))).toEqual([`13: tenants.acme.credentials[1]: ${message}`]);
  });

  it("that no token can both match are not", () => {
    expect(load(credentials(jwt(), jwt().replace("issuer: i", "issuer: j"))).warnings).toEqual([]);
    expect(load(credentials(jwt(", typ: a"), jwt(", typ: b"))).warnings).toEqual([]);
    expect(load(credentials(jwt("", pem("spki")), jwt("", pem("spki")))).warnings).toEqual([]);
  });

  it.each([
    [
      "jwksUrl: http://id.example.com/jwks",
      "jwksUrl: keys fetched without TLS can be forged; use https, or a loopback address"
    ],
    ['publicKey: "-----BEGIN"', "publicKey: not a public key in PEM form (-----BEGIN PUBLIC KEY-----)"]
  ])("%s", (source, message) => {
    expect(problems(credentials(jwt("", source)))).toEqual([`12: tenants.acme.credentials[0].jwt.${message}`]);
  });

  it("hold no private key, and one source of keys", () => {
    expect(problems(credentials(jwt("", pem("pkcs8"))))[0]).toContain("not a public key");
    expect(problems(credentials(jwt("", `${pem("spki")}, jwksUrl: https://a.example.com`)))[0]).toContain(
      "exactly one of"
    );
    expect(problems(credentials(jwt().replace("jwksUrl: https://id.example.com/jwks, ", "")))[0]).toContain(
      "exactly one of"
    );
    for (const url of ["http://127.0.0.1:1/jwks", "http://localhost:1/jwks", "http://[::1]:1/jwks"]) {
      expect(load(credentials(jwt("", `jwksUrl: "${url}"`))).warnings).toEqual([]);
    }
  });

  it("that have expired are warned of", () => {
    const key = (text: string, day: string) => `{ apiKeySha256: ${sha(text)}, subject: s, expiresAt: ${day} }`;
    const { warnings } = load(
      credentials(key("a", "2027-05-30"), key("b", "2027-06-01"), key("c", "2027-05-31T23:59:59Z"))
    );
    expect(shortly(warnings)).toEqual([
      "12: ~tenants.acme.credentials[0].expiresAt: the key expired on 2027-05-30",
      "14: ~tenants.acme.credentials[2].expiresAt: the key expired on 2027-05-31T23:59:59Z"
    ]);
  });

  it("must be of one kind", () => {
    expect(problems(credentials(`{ apiKeySha256: ${sha("a")}, subject: s, expires: 2027-01-01 }`))).toEqual([
      "12: tenants.acme.credentials[0].expires: unknown key"
    ]);
    expect(problems(credentials(jwt(", tenant: x")))).toEqual([
      "12: tenants.acme.credentials[0].jwt.tenant: unknown key"
    ]);
  });
});

describe("path rules", () => {
  const deny = (pattern: string) =>
    grant(`{ knowledgeBases: [handbook], paths: { deny: [${JSON.stringify(pattern)}] } }`);
  it.each([
    ["/pages/hr/**", "paths have no slash at their start; leave it out"],
    ["pages/hr/", "matches no file; for all below it write pages/hr/**"],
    ["./pages/**", "paths have no empty, . or .. segments, so this matches nothing"],
    ["pages//hr/**", "paths have no empty, . or .. segments, so this matches nothing"],
    ["pages/../hr/**", "paths have no empty, . or .. segments, so this matches nothing"],
    ["!pages/hr/**", "a rule cannot be negated with !; use deny for what must not be seen"],
    ["pages/[hr/**", "brackets that do not close; escape a bracket of a name with \\"],
    ["pages/{a,b/**", "brackets that do not close; escape a bracket of a name with \\"],
    [
      "pages/!(public)/**",
      "!(…) in a deny lets through names that only begin alike; write what is denied, or an allow"
    ],
    ["p".repeat(1025), "at most 1024 characters"]
  ])("%j is refused", (pattern, message) => {
    expect(problems(deny(pattern))).toEqual([`13: tenants.acme.grants[0].paths.deny[0]: ${message}`]);
  });

  it("are warned of where they look like a directory", () => {
    expect(shortly(load(deny("pages/hr")).warnings)).toEqual([
      "13: ~tenants.acme.grants[0].paths.deny[0]: matches only a file of exactly this name; for all below a directory write pages/hr/**"
    ]);
    for (const pattern of ["pages/hr/**", "pages/hr/pay.md", "pages/\\[draft\\].md", "**/*.json"]) {
      expect(load(deny(pattern)).warnings, pattern).toEqual([]);
    }
  });

  it("that deny what nothing allows are warned of", () => {
    const rules = (allow: string, denied: string) =>
      shortly(load(grant(`{ knowledgeBases: [handbook], paths: { allow: [${allow}], deny: [${denied}] } }`)).warnings);
    const warned = [
      "13: ~tenants.acme.grants[0].paths.deny[0]: no grant of the tenant allows anything that this denies"
    ];
    expect(rules('"pages/public/**"', '"pages/hr/**"')).toEqual(warned);
    expect(rules('"pages/**"', '"pages/hr/**"')).toEqual([]);
    expect(rules('"pages/hr/public/**"', '"pages/HR/**"')).toEqual([]);
    expect(rules('"pages/*/public/**"', '"pages/hr/**"')).toEqual([]);
  });
});

describe("what looks wrong", () => {
  const warnings = (text: string, options: LoadOptions = {}) => shortly(load(text, options).warnings);

  it.each([
    ["no grants", tenants(), "9: ~tenants.acme: no grants: the tenant can see nothing"],
    ["no tenant at all", `${base}tenants: {}\n`, "8: ~tenants: no tenant: nobody can use the gateway"],
    [
      "no credentials",
      `${base}tenants: { acme: { grants: [{ upstream: main }] } }\n`,
      "8: ~tenants.acme: no credentials: nobody can be this tenant"
    ],
    [
      "subjects of nobody",
      grant("{ upstream: main, subjects: [admin-*] }"),
      "13: ~tenants.acme.grants[0].subjects: none of the tenant's credentials has such a subject"
    ],
    [
      "no cursor secret",
      grant("{ upstream: main }").replace(/cursorSecret[^}]*\}"/, ""),
      "1: ~server.cursorSecret: no cursorSecret: cursors die with the process and no other replica can read them"
    ],
    [
      "a key in the file",
      base.replace(`"\${env:KEY}"`, "plain"),
      `3: ~upstreams.main.apiKey: a secret in plain text; use \${env:NAME} or \${file:PATH}`
    ],
    [
      "a secret in the file",
      base.replace(`\${env:CURSOR}`, "0123456789abcdef"),
      `1: ~server.cursorSecret: a secret in plain text; use \${env:NAME} or \${file:PATH}`
    ],
    [
      "secrets in a list",
      base.replace(`"\${env:CURSOR}"`, "[0123456789abcdef]"),
      `1: ~server.cursorSecret[0]: a secret in plain text; use \${env:NAME} or \${file:PATH}`
    ],
    [
      "a password in a URL",
      `${base}shared: { redisUrl: "redis://u:pw@redis" }\n`,
      `8: ~shared.redisUrl: a secret in plain text; use \${env:NAME} or \${file:PATH}`
    ],
    [
      "a key without TLS",
      base.replace("https://main", "http://main"),
      "3: ~upstreams.main.url: http sends the upstream's key in the clear; use https"
    ],
    [
      "a tenant that can use up an upstream",
      tenants("grants: [{ upstream: main }]", "limits: { requestsPerMinute: 5000 }"),
      "13: ~tenants.acme.limits.requestsPerMinute: more than the 1200 a minute of an upstream: the tenant alone can use it up"
    ]
  ])("%s", (_, text, warning) => {
    expect(warnings(text)).toEqual([warning]);
  });

  it("an open host that accepts no name from outside", () => {
    const text = grant("{ upstream: main }");
    expect(warnings(text, { server: { host: "0.0.0.0" } })).toEqual([
      "1: ~server.publicUrl: no publicUrl and no allowedHosts: requests for any but a loopback name are refused"
    ]);
    const named = text.replace("server: {", "server: { allowedHosts: [gateway.example.com],");
    expect(warnings(named, { server: { host: "0.0.0.0" } })).toEqual([]);
  });
});

describe("exposure", () => {
  it.each(["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])("without tenants %s is served", (host) => {
    expect(load(base, { server: { host } }).config.tenants).toBeUndefined();
  });

  it.each(["0.0.0.0", "::", "192.0.2.1", "gateway.example.com", "127.0.0.1.example.com"])(
    "without tenants %s is refused",
    (host) => {
      const message = "1: server.host: without tenants everybody sees everything: only a loopback host is served";
      expect(problems(base, { server: { host } })).toEqual([message]);
    }
  );

  it("addresses, origins and hosts must be what they say", () => {
    const text = base.replace(
      "server: {",
      'server: { trustedProxies: [10.0.0.0/33, proxy, 10.0.0.0/8, "2001:db8::/32"], cors: { origins: ["https://a.example.com/", "*", "https://b.example.com"] }, allowedHosts: ["https://x", "a/b", "a.example.com:8080"],'
    );
    expect(problems(text).map((line) => line.split(": ").slice(1, 2).join())).toEqual([
      "server.trustedProxies[0]",
      "server.trustedProxies[1]",
      "server.cors.origins[0]",
      "server.cors.origins[1]",
      "server.allowedHosts[0]",
      "server.allowedHosts[1]"
    ]);
  });
});

describe("knowledge bases", () => {
  it("have slugs that are no other's id", () => {
    expect(problems(`${base}  knowledge-base-h: { upstream: main, id: knowledge-base-z }\n`)).toEqual([
      "8: knowledgeBases.knowledge-base-h: the slug is the upstream id of handbook; choose another"
    ]);
  });

  it("may have one id in two upstreams", () => {
    expect(load(base.replace("knowledge-base-w", "knowledge-base-h")).warnings).toEqual([]);
  });
});
