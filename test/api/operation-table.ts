import { allOperations, type OperationDeps } from "../../api/operations.ts";
import type { Operation } from "../../api/serve/operation.ts";
import { systemClock } from "../../ingest/clock.ts";
import type { Company } from "./company.ts";

/** Everything that is served. Only what describes it is looked at here; requests go to a running platform. */
const all: readonly Operation[] = allOperations({
  clock: systemClock,
  snapshot: {},
  carriers: {},
  dryRun: {},
  counts: {},
  dialects: {},
  exports: {},
} as unknown as OperationDeps);
/** What carriers call, with credentials of their own: it is tried beside their adapters. */
export const carrierOperations = all.filter(({ access }) => typeof access === "object");
export const operations = all.filter(({ access }) => typeof access !== "object");

export const titleOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

export interface Ids extends Company {
  readonly api_key: string;
  readonly access_token: string;
  readonly call: string;
  /** Of RTB's records in both directions. */
  readonly inbound_request: string;
  readonly outbound_request: string;
  /** Of an outgoing and of an incoming request. */
  readonly delivery: string;
  /** A redelivery of many. */
  readonly redelivery: string;
  /** What a user asked the assistant, and the session of it. */
  readonly session: string;
  readonly saved_question: string;
  readonly link: string;
  readonly schedule: string;
  readonly approved_question: string;
  readonly message: string;
}

/** Ids in place of the names that paths and examples have for them. A new name must be added here. */
const idsByName = (ids: Ids, path: string): Readonly<Record<string, string>> => ({
  campaign_id: ids.campaign,
  target_id: ids.target,
  buyer_id: ids.buyer,
  publisher_id: ids.publisher,
  rtb_id: path.startsWith("/inbound_rtb/") ? ids.public_inbound_rtb : ids.rtb_formula,
  rtb_group_id: ids.rtb_group,
  routing_plan_id: ids.routing_plan,
  row_id: ids.row,
  number_id: path.includes("number-pools") ? ids.pooled_number : ids.number,
  number_pool_id: ids.number_pool,
  inbound_rtb_id: ids.inbound_rtb,
  custom_tag_id: ids.custom_tag,
  api_key_id: ids.api_key,
  access_token_id: ids.access_token,
  call_id: ids.call,
  ivr_id: ids.ivr,
  call_flow_id: ids.call_flow,
  predictive_routing_plan_id: ids.predictive_routing_plan,
  blocked_caller_id: ids.blocked_caller,
  redelivery_id: ids.redelivery,
  session_id: ids.session,
  message_id: ids.message,
  saved_question_id: ids.saved_question,
  link_id: ids.link,
  schedule_id: ids.schedule,
  approved_question_id: ids.approved_question,
  request_id: requestIdOf(ids, path),
  webhook_id: path.includes("incoming") ? ids.incoming_webhook : ids.outgoing_webhook,
});

function requestIdOf({ delivery, inbound_request, outbound_request }: Ids, path: string): string {
  if (path.includes("/webhooks/")) return delivery;
  return path.includes("inbound") ? inbound_request : outbound_request;
}

export interface FilledRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What an operation cannot do without in its query. */
const askedOf: Readonly<Record<string, string>> = {
  "/reporting_ai/values": "?dimension=campaign",
  "/api/v1/routing/state": "?kind=target",
  "/v1/routing/state": "?kind=target",
  "/api/v1/routing/parts": "?kind=number",
  "/v1/routing/parts": "?kind=number",
};

/** A request of an operation with its example, real ids put in. */
export function requestOf({ method, path, example }: Operation, ids: Ids): FilledRequest {
  const byName = idsByName(ids, path);
  const idNamed = (name: string): string => {
    const value = byName[name];
    if (value === undefined) throw new Error(`No id is known for {${name}} of ${path}: add it to this table.`);
    return value;
  };
  return {
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => idNamed(name)) + (askedOf[path] ?? ""),
    body: example === undefined ? undefined : fillExample(example, idNamed, ids),
  };
}

/** `BUYER_ID` in an example stands for the id of a buyer. */
function fillExample(example: unknown, idNamed: (name: string) => string, ids: Ids): unknown {
  const text = JSON.stringify(example).replace(/"([A-Z]+(?:_[A-Z]+)*_ID)"/g, (_, name: string) =>
    // Where an example wants a number, it is one that is free.
    JSON.stringify(name === "NUMBER_ID" ? ids.spare_number : idNamed(name.toLowerCase())),
  );
  return JSON.parse(text);
}
