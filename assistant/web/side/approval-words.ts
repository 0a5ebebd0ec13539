import type { Approval, ApprovedQuestion } from "../wire.ts";

/** By whom: an id is all that a token tells of a user. */
export const approvedBy = ({ approved_by: by, approved_by_you: byYou }: Approval): string =>
  byYou ? "by you" : by === null ? "" : `by ${by.replace(/^user:/, "")}`;

/** The day, as the zone has it. */
export const approvedOn = ({ approved_at: at }: Approval, zone: string): string =>
  new Date(at).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: zone });

/** The question as it was asked, else what it is answered by. */
export const titleOf = ({ query, summary }: ApprovedQuestion): string =>
  query ?? summary ?? "A question of an earlier version";
