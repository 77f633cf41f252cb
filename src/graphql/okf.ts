/** What frontmatter says of a page's standing: its status, who vouches for it, and how fresh it is. */
import type { OkfSignals } from "../knowledge/types.ts";
import { builder } from "./builder.ts";

export const OkfSignalsRef = builder.objectRef<OkfSignals>("OkfSignals");

OkfSignalsRef.implement({
  description: "A page's standing, as its frontmatter and the knowledge service have it.",
  fields: (t) => ({
    effectiveStatus: t.string({
      description: "Such as draft, stable, deprecated.",
      resolve: (signals) => signals.effectiveStatus
    }),
    trustTier: t.string({
      description: "Such as unverified, machine-confirmed, human-reviewed.",
      resolve: (signals) => signals.trustTier
    }),
    isStale: t.boolean({
      description: "Whether staleAfter has passed; null where nothing says.",
      resolve: (signals) => signals.isStale
    }),
    staleAfter: t.string({
      description: "When the page becomes stale, as it was written.",
      resolve: (signals) => signals.staleAfter
    }),
    generatedAt: t.string({
      description: "When the page was made, as it was written.",
      resolve: (signals) => signals.generatedAt
    }),
    generatedAtSource: t.string({
      description: "Which field said so.",
      resolve: (signals) => signals.generatedAtSource
    }),
    latestVerifiedAt: t.string({
      description: "When somebody last verified the page.",
      resolve: (signals) => signals.latestVerifiedAt
    }),
    sourceCount: t.field({
      type: "SafeInt",
      description: "How many sources the page names.",
      resolve: (signals) => signals.sourceCount
    })
  })
});

const OkfStatus = builder.enumType("OkfStatus", {
  description: "A page's status.",
  values: {
    DRAFT: { value: "draft", description: "Being written." },
    STABLE: { value: "stable", description: "In force." },
    DEPRECATED: { value: "deprecated", description: "No longer in force." }
  } as const
});

const OkfTrustTier = builder.enumType("OkfTrustTier", {
  description: "Who vouches for a page.",
  values: {
    UNVERIFIED: { value: "unverified", description: "Nobody yet." },
    MACHINE_CONFIRMED: { value: "machine-confirmed", description: "A machine confirmed it." },
    HUMAN_REVIEWED: { value: "human-reviewed", description: "A person reviewed it." }
  } as const
});

const OkfFreshness = builder.enumType("OkfFreshness", {
  description: "Whether a page's staleAfter has passed.",
  values: {
    FRESH: { value: "fresh", description: "Not yet." },
    STALE: { value: "stale", description: "It has." }
  } as const
});

export const OkfFilter = builder.inputType("OkfFilter", {
  description: "Only pages of this standing. What is left out does not filter.",
  fields: (t) => ({
    status: t.field({ type: OkfStatus, description: "Only pages of this status." }),
    trustTier: t.field({ type: OkfTrustTier, description: "Only pages that this tier vouches for." }),
    freshness: t.field({ type: OkfFreshness, description: "Only fresh or only stale pages." })
  })
});
