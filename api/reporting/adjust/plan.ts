import { z } from "zod";
import { add } from "../../../ingest/money.ts";
import { type CallId, callId, type OrgId } from "../../../ingest/primitives.ts";
import { signalSchema } from "../../../ingest/signal.ts";
import type { FoundCall } from "../../webhooks/receive/find-call.ts";
import { type Change, planChange } from "../../webhooks/receive/plan.ts";
import type { Adjustment } from "./body.ts";

const dollars = z.number().nullable();
const money = z.object({
  revenue: dollars,
  payout: dollars,
  profit: dollars,
  payable: z.boolean(),
  receivable: z.boolean(),
  converted: z.boolean(),
});

/** What became of one row; `before` and `after` are of the moment at which the request was accepted. */
const resultSchema = z.object({
  id: callId,
  success: z.boolean(),
  before: money.nullable(),
  after: money.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
type Result = z.infer<typeof resultSchema>;

export const adjustmentsAnswer = z.object({
  data: z.array(resultSchema),
  meta: z.object({ requested: z.int(), succeeded: z.int(), failed: z.int() }),
});

/** What the log is to be told, and what is answered then. */
export const adjustmentsPlan = z.object({ signals: z.array(signalSchema), answer: adjustmentsAnswer });
export type AdjustmentsPlan = z.infer<typeof adjustmentsPlan>;

export interface Adjusting {
  readonly orgId: OrgId;
  /** Who adjusts: `api_key:<id>`. */
  readonly source: string;
  readonly fireWebhooks: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  newId(): string;
}

/** Each row by itself, in their order: one that cannot be done keeps none of the others back. */
export function planAdjustments(
  adjustments: readonly Adjustment[],
  found: ReadonlyMap<CallId, FoundCall>,
  adjusting: Adjusting,
): AdjustmentsPlan {
  const planned = adjustments.map((each) => planOne(each, found.get(each.call_id), adjusting));
  const succeeded = planned.filter(({ result }) => result.success).length;
  return {
    signals: planned.flatMap(({ signal }) => signal ?? []),
    answer: {
      data: planned.map(({ result }) => result),
      meta: { requested: planned.length, succeeded, failed: planned.length - succeeded },
    },
  };
}

interface PlannedRow {
  readonly signal: AdjustmentsPlan["signals"][number] | null;
  readonly result: Result;
}

function planOne(adjustment: Adjustment, found: FoundCall | undefined, adjusting: Adjusting): PlannedRow {
  const { call_id: id } = adjustment;
  const fault = faultOf(adjustment, found);
  if (found === undefined || fault !== null) {
    return { signal: null, result: { id, success: false, before: null, after: null, error: fault } };
  }
  const { orgId, source, now } = adjusting;
  const change = changeOf(adjustment, adjusting);
  const { signal, answer } = planChange(change, { orgId, source, found, now, updateId: adjusting.newId() });
  const [before, after] = [money.parse(answer["before"]), money.parse(answer["after"])];
  return { signal, result: { id, success: true, before, after, error: null } };
}

function faultOf(adjustment: Adjustment, found: FoundCall | undefined): Result["error"] {
  const { call_id } = adjustment;
  if (found === undefined) return { code: "not_found", message: `The call ${call_id} was not found.` };
  for (const side of ["payout", "revenue"] as const) {
    const delta = adjustment[`${side}_delta`] ?? null;
    if (delta === null) continue;
    const amount = found.stored?.call[side] ?? null;
    if (amount === null) {
      return { code: "not_settled", message: `The call has no ${side} yet: give an amount, or wait until it is over.` };
    }
    if (add(amount, delta) < 0) {
      return { code: "amount_below_zero", message: `The ${side} is ${amount}, and ${-delta} cannot be taken from it.` };
    }
  }
  return null;
}

const changeOf = (adjustment: Adjustment, { fireWebhooks }: Adjusting): Change => ({
  input: {
    kind: "adjusted",
    revenue: adjustment.revenue ?? null,
    payout: adjustment.payout ?? null,
    revenue_delta: adjustment.revenue_delta ?? null,
    payout_delta: adjustment.payout_delta ?? null,
    converted: adjustment.converted ?? null,
    reason: adjustment.reason,
    fire_webhooks: fireWebhooks,
  },
  view: (call) => ({
    revenue: call?.revenue ?? null,
    payout: call?.payout ?? null,
    profit: call?.profit ?? null,
    payable: call?.payable ?? false,
    receivable: call?.receivable ?? false,
    converted: call?.converted ?? false,
  }),
  ignored: null,
});
