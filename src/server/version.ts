/** One version of the configuration in force: everything that a request needs, built once and never changed. */
import type { GatewayConfig } from "../config/schema.ts";
import type { Knowledge, OnCall } from "../knowledge/knowledge.ts";
import { type Authenticate, type AuthenticationState, createAuthenticate } from "./authentication.ts";
import { createHostChecks, type HostChecks } from "./hosts.ts";
import type { HeldUpstreams } from "./pools.ts";
import { createSurfaces, type SurfaceOptions, type Surfaces } from "./surfaces.ts";

export interface Version {
  /** Counts up from 1. */
  readonly number: number;
  readonly loadedAt: Date;
  readonly config: GatewayConfig;
  readonly held: HeldUpstreams;
  readonly knowledge: Knowledge;
  /** Writes the audit log, where there is one. */
  readonly onCall: OnCall | undefined;
  readonly hosts: HostChecks;
  readonly surfaces: Surfaces;
  readonly authenticate: Authenticate;
}

export interface VersionParts extends SurfaceOptions {
  readonly number: number;
  readonly held: HeldUpstreams;
  readonly knowledge: Knowledge;
  readonly onCall: OnCall | undefined;
  readonly authentication: AuthenticationState;
}

export function buildVersion(config: GatewayConfig, parts: VersionParts): Version {
  const { number, held, knowledge, onCall, authentication, ...options } = parts;
  const { publicUrl, allowedHosts, cors } = config.server;
  return {
    number,
    loadedAt: new Date(),
    config,
    held,
    knowledge,
    onCall,
    hosts: createHostChecks({ publicUrl, allowedHosts, origins: cors.origins }),
    surfaces: createSurfaces(config, options),
    authenticate: createAuthenticate(config, authentication)
  };
}
