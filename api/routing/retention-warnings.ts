import type { OrgConfig } from "../config/org-config.ts";

/**
 * Warnings about look-backs for a caller's earlier calls that are longer than the warehouse's retention, a sentence for each
 * organization that has any: what is hidden is found by nobody. Of no `retentionDays`, nothing is hidden.
 */
export function retentionWarnings(configs: readonly OrgConfig[], retentionDays: number | undefined): readonly string[] {
  if (retentionDays === undefined) return [];
  return configs.flatMap((config) => {
    const beyond = lookBacksOf(config).filter(({ days }) => days > retentionDays);
    if (beyond.length === 0) return [];
    const named = beyond.slice(0, mostNamed).map(({ what, days }) => `${what} ${days} days`);
    const more = beyond.length > mostNamed ? `, and ${beyond.length - mostNamed} more` : "";
    return [
      `${config.organization.name} looks further back for earlier calls than WAREHOUSE_RETENTION_DAYS shows them, ` +
        `which is ${retentionDays} days: ${named.join(", ")}${more}. Older calls are not found.`,
    ];
  });
}

/** Most targets and formulas that one warning names. */
const mostNamed = 5;

interface LookBack {
  readonly what: string;
  readonly days: number;
}

/** Campaigns look back for 30 days, and a retention is longer. */
const lookBacksOf = (config: OrgConfig): readonly LookBack[] => [
  ...[...config.all("target"), ...config.all("rtb_formula")]
    .filter((destination) => destination.consider_duplicate)
    .map((destination) => ({
      what: "name" in destination ? `the target ${destination.name}` : `the RTB formula ${destination.rtb_name}`,
      days: destination.consider_duplicate_interval,
    })),
  ...config
    .all("incoming_webhook")
    .map(({ name, caller_id_match_days }) => ({ what: `the incoming webhook ${name}`, days: caller_id_match_days })),
];
