import { v4 as uuidv4 } from "uuid";
import { z } from "zod";
import type { DocumentBase, FieldsOf, ResourceDefinition } from "./resource.ts";
import { blockedCaller } from "./resources/blocked-caller.ts";
import { buyer } from "./resources/buyer.ts";
import { callFlow } from "./resources/call-flow.ts";
import { campaign } from "./resources/campaign.ts";
import { customTag } from "./resources/custom-tag.ts";
import { inboundRtb } from "./resources/inbound-rtb.ts";
import { incomingWebhook } from "./resources/incoming-webhook.ts";
import { ivr } from "./resources/ivr.ts";
import { number } from "./resources/number.ts";
import { numberPool } from "./resources/number-pool.ts";
import { outgoingWebhook } from "./resources/outgoing-webhook.ts";
import { predictiveRoutingPlan } from "./resources/predictive-routing-plan.ts";
import { publisher } from "./resources/publisher.ts";
import { routingPlan } from "./resources/routing-plan.ts";
import { rtbFormula } from "./resources/rtb-formula.ts";
import { rtbGroup } from "./resources/rtb-group.ts";
import { target } from "./resources/target.ts";
import { createTypeCheck } from "./type-check.ts";

/** Resource definitions by type. */
const resources = {
  blocked_caller: blockedCaller,
  buyer,
  call_flow: callFlow,
  campaign,
  custom_tag: customTag,
  inbound_rtb: inboundRtb,
  incoming_webhook: incomingWebhook,
  ivr,
  number,
  number_pool: numberPool,
  outgoing_webhook: outgoingWebhook,
  predictive_routing_plan: predictiveRoutingPlan,
  publisher,
  routing_plan: routingPlan,
  rtb_formula: rtbFormula,
  rtb_group: rtbGroup,
  target,
} as const;

export type ResourceType = keyof typeof resources;
type Writable<T extends ResourceType> = (typeof resources)[T]["writable"];
type Kept<T extends ResourceType> =
  (typeof resources)[T] extends ResourceDefinition<z.ZodObject, infer K> ? FieldsOf<K> : never;
/** A stored document: the writable fields with their defaults, and the fields that no request writes. */
export type Resource<T extends ResourceType> = z.output<Writable<T>> & Kept<T> & DocumentBase;
/** A document as installations are set up with it: fields left out get their defaults. */
export type ResourceInput<T extends ResourceType> = z.input<Writable<T>> &
  Partial<Kept<T>> &
  Omit<DocumentBase, "pause" | "resumed_at">;

export const definitionOf = (type: ResourceType): ResourceDefinition => resources[type];

/** Any document with its type, as it is stored and as installations are set up with it. */
export type ConfigDocument = { [T in ResourceType]: { readonly type: T; readonly doc: Resource<T> } }[ResourceType];
export type ConfigInput = { [T in ResourceType]: { readonly type: T; readonly doc: ResourceInput<T> } }[ResourceType];

/** Validates a document and fills in its defaults. */
export function toDocument<T extends ResourceType>(type: T, given: ResourceInput<T>): Resource<T> {
  const definition = definitionOf(type);
  const { id, org_id, created_at, updated_at } = given;
  const written = definition.writable.parse(given);
  const context = { previous: { ...written, ...given }, at: created_at, newId: uuidv4 };
  const whole = definition.prepare?.(written, context) ?? written;
  return { ...whole, id, org_id, created_at, updated_at } as Resource<T>;
}

export const definitions: ReadonlyMap<string, ResourceDefinition> = new Map(
  Object.values(resources).map((definition): [string, ResourceDefinition] => [definition.type, definition]),
);

const kept = {
  id: z.string(),
  org_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  pause: z.object({ paused_at: z.string(), paused_until: z.string().nullable(), paused_by: z.string() }).nullish(),
  resumed_at: z.string().optional(),
};

/** Type checks by resource type. Fields that no request writes are optional: a document may be older than they are. */
const checks = new Map(
  [...definitions].map(([type, definition]) => [
    type,
    createTypeCheck(
      z.object({ ...definition.writable.shape, ...z.object(definition.kept ?? {}).partial().shape, ...kept }),
    ),
  ]),
);

/** Returns why a stored document does not have the types of its schema, by the field at fault; null if it has. */
export function storedDocumentFault(type: string, doc: unknown): string | null {
  const check = checks.get(type);
  return check === undefined ? "there is no such type of document" : check(doc);
}
