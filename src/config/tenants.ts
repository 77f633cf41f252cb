/** Tenants that cannot do what somebody wrote them down for. */
import type { ConfigDraft, TenantDraft } from "./draft.ts";
import { type Finding, warning } from "./problems.ts";
import { compileSubjects } from "./subjects.ts";

export function checkTenants({ tenants, upstreams }: ConfigDraft): readonly Finding[] {
  if (tenants?.length === 0) return [warning(["tenants"], "no tenant: nobody can use the gateway")];
  const budgets = upstreams.map(({ upstream }) =>
    upstream === null ? Infinity : (upstream.rateLimit.requests * 60) / upstream.rateLimit.perSeconds
  );
  return (tenants ?? []).flatMap((tenant) => checkTenant(tenant, Math.min(...budgets)));
}

/** @param budget upstream requests a minute, of the upstream with the fewest */
function checkTenant({ name, credentials, grants, limits }: TenantDraft, budget: number): readonly Finding[] {
  const path = ["tenants", name];
  const findings: Finding[] = [];
  if (grants.length === 0) findings.push(warning(path, "no grants: the tenant can see nothing"));
  if (credentials.length === 0) findings.push(warning(path, "no credentials: nobody can be this tenant"));
  if (limits !== null && limits.requestsPerMinute > budget) {
    const message = `more than the ${budget} a minute of an upstream: the tenant alone can use it up`;
    findings.push(warning([...path, "limits", "requestsPerMinute"], message));
  }
  const subjects = credentials.map((credential) =>
    credential === null || "jwt" in credential ? null : credential.subject
  );
  grants.forEach((grant, index) => {
    const meant = compileSubjects(grant?.subjects);
    // Tokens bring subjects that the configuration does not know.
    if (credentials.length === 0 || subjects.some((subject) => subject === null || meant(subject))) return;
    findings.push(
      warning([...path, "grants", index, "subjects"], "none of the tenant's credentials has such a subject")
    );
  });
  return findings;
}
