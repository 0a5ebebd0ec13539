import type { z } from "zod";
import { type Call, callStatuses } from "../../../ingest/call.ts";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { type CallId, unreachable } from "../../../ingest/primitives.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import { parseInput } from "../../serve/errors.ts";
import { callDataBody, updateFieldsBody, updateRevenueBody, updateTagsBody } from "./bodies.ts";
import { changeOfFields, changeOfRevenue, changeOfTags } from "./changes.ts";
import type { CallFinder, FoundCall } from "./find-call.ts";
import { tagNameOf, tagsAsNamed, tagsOfCallData } from "./given-tags.ts";
import { type Change, type Plan, planChange, planNothing, unmatched } from "./plan.ts";

/** Whose key a request came with. */
export interface ReceivingWebhook {
  readonly config: OrgConfig;
  readonly webhook: Resource<"incoming_webhook">;
}
/** A request as it was understood. */
export interface Understood extends ReceivingWebhook {
  readonly body: Body;
}
export type Body =
  | { readonly type: "call_data"; readonly given: z.output<typeof callDataBody> }
  | { readonly type: "update_revenue"; readonly given: z.output<typeof updateRevenueBody> }
  | { readonly type: "update_tags"; readonly given: z.output<typeof updateTagsBody> }
  | { readonly type: "update_fields"; readonly given: z.output<typeof updateFieldsBody> };

/** Throws `ValidationError`. */
export function understand(type: Body["type"], body: unknown): Body {
  switch (type) {
    case "call_data":
      return { type, given: parseInput(callDataBody, body, "body") };
    case "update_revenue":
      return { type, given: parseInput(updateRevenueBody, body, "body") };
    case "update_tags":
      return { type, given: parseInput(updateTagsBody, body, "body") };
    case "update_fields":
      return { type, given: parseInput(updateFieldsBody, body, "body") };
    default:
      return unreachable(type);
  }
}

interface Subject {
  readonly call_id?: CallId | null | undefined;
  readonly caller_id?: string | null | undefined;
}

export interface PlannerDeps {
  readonly finder: CallFinder;
  readonly clock: Clock;
  newId(): string;
}

const dayMs = 86_400_000;
/** Money is of calls that somebody answered (semantics 7.8). */
const answered: readonly Call["status"][] = ["connected", "completed"];

/** Decides what is to be done for a request; nothing is changed by it. */
export function createPlanner({ finder, clock, newId }: PlannerDeps) {
  async function find(
    { config, webhook }: ReceivingWebhook,
    { call_id, caller_id }: Subject,
    statuses: readonly Call["status"][] = callStatuses,
  ): Promise<FoundCall | null> {
    const orgId = config.organization.id;
    if (call_id) {
      const found = await finder.byId(orgId, call_id);
      return found !== null && statuses.includes(found.stored?.call.status ?? "incoming") ? found : null;
    }
    const since = clock.now() - webhook.caller_id_match_days * dayMs;
    return caller_id ? finder.byCaller({ orgId, caller: caller_id, since, statuses }) : null;
  }

  const toPlan = ({ config, webhook }: ReceivingWebhook, found: FoundCall, change: Change): Plan =>
    planChange(change, {
      ...{ orgId: config.organization.id, source: `incoming_webhook:${webhook.id}`, found },
      ...{ now: clock.now(), updateId: newId() },
    });

  async function planCallData(received: ReceivingWebhook, given: z.output<typeof callDataBody>): Promise<Plan> {
    const { tags, ignored } = tagsOfCallData(given, received.config);
    const found = await find(received, { caller_id: given.caller_id });
    const names = Object.keys(tags);
    if (found === null) return keepForNextCall(received, given.caller_id, tags);
    const change = changeOfTags({ tags, remove: [], ignored });
    if (names.length > 0) return toPlan(received, found, change);
    const rest = ignored.length > 0 ? { ignored: [...ignored] } : {};
    const answer = { success: true, matched: true, call_id: found.callId, before: {}, after: {}, ...rest };
    return planNothing(found.callId, answer);
  }

  /** Seconds of `lifespan`, for the caller's next call (semantics 7.8). */
  function keepForNextCall({ webhook }: ReceivingWebhook, caller: string, tags: Tags): Plan {
    if (Object.keys(tags).length === 0) return planNothing(null, unmatched);
    const now = clock.now();
    const times = { received_at: isoTime(now), expires_at: isoTime(now + webhook.lifespan * 1000) };
    return { ...planNothing(null, unmatched), keep: { id: newId(), caller, tags: { ...tags }, ...times } };
  }

  return async (understood: Understood): Promise<Plan> => {
    const { body, config } = understood;
    switch (body.type) {
      case "call_data":
        return planCallData(understood, body.given);
      case "update_revenue": {
        const found = await find(understood, body.given, answered);
        return found === null ? planNothing(null, unmatched) : toPlan(understood, found, changeOfRevenue(body.given));
      }
      case "update_tags": {
        const found = await find(understood, body.given);
        const { tags, ignored } = tagsAsNamed({ ...body.given.tags, ...body.given.add }, config);
        const remove = (body.given.remove ?? []).map((name) => tagNameOf(name, config));
        return found === null
          ? planNothing(null, unmatched)
          : toPlan(understood, found, changeOfTags({ tags, remove, ignored }));
      }
      case "update_fields": {
        const found = await find(understood, body.given);
        return found === null ? planNothing(null, unmatched) : toPlan(understood, found, changeOfFields(body.given));
      }
      default:
        return unreachable(body);
    }
  };
}
type Tags = Readonly<Record<string, string>>;
