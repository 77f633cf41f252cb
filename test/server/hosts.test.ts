import { describe, expect, it } from "vitest";
import { createHostChecks, type HostRules } from "../../src/server/hosts.ts";

const PORT = 4000;
const NONE: HostRules = { allowedHosts: [], origins: [] };
const PUBLIC: HostRules = { ...NONE, publicUrl: "https://knowledge.example.com/base" };
const ODD_PORT: HostRules = { ...NONE, publicUrl: "https://knowledge.example.com:8443" };
const LISTED: HostRules = { ...NONE, allowedHosts: ["Gateway.internal", "10.0.0.7:8080", "[fd00::7]:8080"] };
const CORS: HostRules = { ...NONE, origins: ["https://app.example.com"] };

const allowed = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "FORBIDDEN", httpStatus: 403 });
    return false;
  }
};

describe("the Host header", () => {
  it.each<[HostRules, string | undefined, boolean]>([
    [NONE, "127.0.0.1:4000", true],
    [NONE, "localhost:4000", true],
    [NONE, "LOCALHOST:4000", true],
    [NONE, "[::1]:4000", true],
    [NONE, "localhost:4001", false],
    [NONE, "localhost", false],
    [NONE, "evil.example", false],
    [NONE, "evil.example:4000", false],
    [NONE, "localhost.evil.example:4000", false],
    [NONE, "127.0.0.1:4000@evil.example", false],
    [NONE, "localhost:4000, evil.example", false],
    [NONE, "", false],
    [NONE, undefined, false],
    [PUBLIC, "knowledge.example.com", true],
    [PUBLIC, "knowledge.example.com:443", true],
    [PUBLIC, "knowledge.example.com:4000", false],
    [PUBLIC, "example.com", false],
    [PUBLIC, "localhost:4000", false],
    [ODD_PORT, "knowledge.example.com:8443", true],
    [ODD_PORT, "knowledge.example.com", false],
    [LISTED, "gateway.internal", true],
    [LISTED, "gateway.internal:9999", true],
    [LISTED, "10.0.0.7:8080", true],
    [LISTED, "10.0.0.7", false],
    [LISTED, "[fd00::7]:8080", true],
    [LISTED, "127.0.0.1:4000", false],
    [CORS, "localhost:4000", true],
    [CORS, "app.example.com", false]
  ])("%j: %j is accepted: %s", (rules, host, expected) => {
    expect(allowed(() => createHostChecks(rules).host(host, PORT))).toBe(expected);
  });
});

describe("the Origin header", () => {
  it.each<[HostRules, string | undefined, boolean]>([
    [NONE, undefined, true],
    [NONE, "http://localhost:4000", true],
    [NONE, "http://127.0.0.1:4000", true],
    [NONE, "http://localhost:5173", false],
    [NONE, "http://localhost", false],
    [NONE, "null", false],
    [NONE, "", false],
    [NONE, "https://evil.example", false],
    [NONE, "http://localhost:4000/", false],
    [NONE, "http://user@localhost:4000", false],
    [NONE, "file://", false],
    [NONE, "chrome-extension://localhost:4000", false],
    [NONE, "http://localhost:4000, http://evil.example", false],
    [PUBLIC, "https://knowledge.example.com", true],
    [PUBLIC, "http://knowledge.example.com", false],
    [PUBLIC, "http://localhost:4000", false],
    [LISTED, "https://gateway.internal", true],
    [LISTED, "http://10.0.0.7:8080", true],
    [LISTED, "http://10.0.0.7", false],
    [CORS, "https://app.example.com", true],
    [CORS, "http://app.example.com", false],
    [CORS, "https://app.example.com.evil.example", false],
    [CORS, "http://localhost:4000", true]
  ])("%j: %j is accepted: %s", (rules, origin, expected) => {
    expect(allowed(() => createHostChecks(rules).origin(origin, PORT))).toBe(expected);
  });

  it("gets CORS headers only where it is listed", () => {
    const checks = createHostChecks(CORS);
    expect(checks.isCorsOrigin("https://app.example.com")).toBe(true);
    expect(checks.isCorsOrigin("http://localhost:4000")).toBe(false);
    expect(checks.isCorsOrigin(undefined)).toBe(false);
  });
});
