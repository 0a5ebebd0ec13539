import type { OrgConfig } from "./org-config.ts";

/** Warnings that are logged at a start. */
const maxWarnings = 20;

/**
 * Returns a warning for each number that several campaigns or organizations list, in config older than the rule against
 * it. Such numbers go on working as before, until somebody chooses.
 */
export function numberWarnings(configs: readonly OrgConfig[]): readonly string[] {
  const all = configs.flatMap((config) => [...sharedByCampaigns(config), ...heldByOthers(config)]);
  const more = all.length - maxWarnings;
  return more > 0
    ? [...all.slice(0, maxWarnings), `${more} more numbers are listed by several campaigns or organizations.`]
    : all;
}

function sharedByCampaigns(config: OrgConfig): string[] {
  const byNumber = new Map<string, string[]>();
  for (const { name, is_active, number_group_items } of config.all("campaign")) {
    if (!is_active) continue;
    for (const id of new Set(number_group_items.map(({ number_id }) => number_id)))
      byNumber.set(id, [...(byNumber.get(id) ?? []), name]);
  }
  return [...byNumber].flatMap(([id, names]) => {
    if (names.length < 2) return [];
    const number = config.get("number", id)?.number ?? id;
    const owner = config.campaignOfNumber(id)?.campaign.name;
    return [
      `${config.organization.name}: the number ${number} is in ${names.length} active campaigns (${names.join(", ")}); its calls go to ${owner}. Take it out of the others.`,
    ];
  });
}

const heldByOthers = (config: OrgConfig): string[] =>
  config
    .all("number")
    .filter(({ is_held }) => !is_held)
    .map(
      ({ number }) =>
        `${config.organization.name} lists the number ${number} and does not have it. Delete it there, or give it to them: npm run numbers -- move ${number} --to ${config.organization.id}.`,
    );
