import type { OperationTag } from "./operation-text.ts";

/**
 * The areas of the API, by which rights are given: each operation is in one. API keys are restricted to those up to
 * `audit`; the others are of users alone, whose role gives them rights.
 */
export const areas = {
  config:
    "Campaigns, numbers, publishers, buyers, targets, routing plans, RTB, IVRs and all else that decides where calls go.",
  telephony: "Calls of the simulated switch.",
  reports: "The call log, summaries, RTB requests and saved answers; writing corrects what calls are worth.",
  webhooks: "Outgoing and incoming webhooks.",
  deliveries: "The webhook history; writing sends requests again.",
  keys: "API keys and access tokens.",
  audit: "The audit log.",
  conversations: "Questions to the assistant, and one's own conversations with it.",
  questions: "Saved and approved questions, short links to questions, boards and schedules.",
  organization:
    "What an organization's users have in common: instructions of the assistant, the organization's board, and what another user saved.",
  exports: "Answers and histories as files.",
} as const;
export type Area = keyof typeof areas;
export type Right = "read" | "write";
/** Writing includes reading. */
export type Permission = `${Area}:${Right}`;

/** The permissions that a caller has. */
export type Rights = ReadonlySet<Permission>;

export const areaNames = Object.keys(areas) as Area[];

/** The areas that API keys can be restricted to. */
export const keyAreas = [
  "config",
  "telephony",
  "reports",
  "webhooks",
  "deliveries",
  "keys",
  "audit",
] as const satisfies readonly Area[];

/** The area of each tag's operations, unless one of them names another. */
const areaOfTag = {
  Campaigns: "config",
  Numbers: "config",
  "Number pools": "config",
  Publishers: "config",
  Buyers: "config",
  Targets: "config",
  "Routing plans": "config",
  Routing: "config",
  "RTB formulas": "config",
  "RTB groups": "config",
  "Predictive routing plans": "config",
  IVRs: "config",
  "Call flows": "config",
  "Custom tags": "config",
  "Blocked callers": "config",
  Bulk: "config",
  "Inbound RTBs": "config",
  "RTB pings": "telephony",
  "Outgoing webhooks": "webhooks",
  "Incoming webhooks": "webhooks",
  "Inbound webhooks": "webhooks",
  "Webhook history": "deliveries",
  Reports: "reports",
  "Inbound RTB reports": "reports",
  "Outbound RTB reports": "reports",
  "Reporting assistant": "conversations",
  "API keys": "keys",
  "Audit log": "audit",
  Telephony: "telephony",
} as const satisfies Record<OperationTag, Area>;

/** Describes the rights that an operation takes. */
export interface Ruled {
  readonly method: string;
  readonly tag: OperationTag;
  readonly area?: Area | undefined;
  readonly right?: Right | undefined;
  readonly changes?: boolean | undefined;
  readonly access: unknown;
  readonly answerType?: string | undefined;
}

/** True for an operation that changes what is kept of an organization, or reaches others. */
export const changesSomething = ({ method, changes = method !== "get" }: Pick<Ruled, "method" | "changes">): boolean =>
  changes;

/** Returns the permissions that an operation takes, all of them. Throws for one of no area: nobody may use it. */
export function permissionsOf(operation: Ruled): Permission[] {
  const { tag, area = areaOfTag[tag] as Area | undefined, access, answerType } = operation;
  if (area === undefined) throw new Error(`No area is known of operations with the tag ${tag}: add it to areaOfTag.`);
  const right = operation.right ?? (changesSomething(operation) ? "write" : "read");
  const own: Permission = `${area}:${right}`;
  return access === "user" && answerType === "file" ? [own, "exports:read"] : [own];
}
