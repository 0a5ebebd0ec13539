import type { InboundGroup } from "../../warehouse/rtb/inbound-rtb-stats.ts";
import type { OutboundGroup } from "../../warehouse/rtb/outbound-rtb-stats.ts";
import type { OrgConfig } from "../config/org-config.ts";

type Group = InboundGroup | OutboundGroup;

/** What a group is called now; as it was called then where config has it no more, and null where nobody knows. */
export function nameOfGroup(
  config: OrgConfig | undefined,
  group: Group,
  row: { key: string | null; name: string | null },
) {
  const { key, name } = row;
  if (key === null) return null;
  return (config && currentName(config, group, key)) ?? name ?? (isOwnName(group) ? key : null);
}

/** Such keys have no other name. */
const isOwnName = (group: Group): boolean => ["inbound_rtb", "reason", "hour", "day"].includes(group);

function currentName(config: OrgConfig, group: Group, key: string): string | undefined {
  switch (group) {
    case "rtb":
      return config.get("rtb_formula", key)?.rtb_name;
    case "rtb_group":
    case "buyer":
    case "campaign":
    case "publisher":
    case "target":
      return config.get(group, key)?.name;
    default:
      return undefined;
  }
}
