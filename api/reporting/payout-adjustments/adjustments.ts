import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { add } from "../../../ingest/money.ts";
import { type CallId, callId, dollars, dollarsMore, type OrgId, wellFormedText } from "../../../ingest/primitives.ts";
import { signalSchema } from "../../../ingest/signal.ts";
import { refuseAmountsOfUnconverted } from "../../webhooks/receive/bodies.ts";
import type { FoundCall } from "../../webhooks/receive/find-call.ts";
import { type Change, planChange } from "../../webhooks/receive/plan.ts";

const mostAdjustments = 500;

const amount = dollars.nullish().describe("What the call is worth from now on.");
const delta = dollarsMore.nullish().describe("Added to what the call is worth; not to less than 0.");

const adjustment = z
  .object({
    call_id: callId,
    payout: amount,
    revenue: amount,
    payout_delta: delta,
    revenue_delta: delta,
    converted: z
      .boolean()
      .nullish()
      .describe("False makes the call worth nothing to either side; then no amounts can be sent beside it."),
    reason: wellFormedText.trim().min(1).max(500),
  })
  .superRefine(refuseAmountsOfUnconverted)
  .superRefine(({ payout, revenue, payout_delta, revenue_delta, converted }, { addIssue }) => {
    const fault = (path: string, message: string, type: string) =>
      addIssue({ code: "custom", path: [path], message, params: { type } });
    const twice = "is excluded by the amount of the same side: give one of them";
    if (payout != null && payout_delta != null) fault("payout_delta", twice, "amount_twice");
    if (revenue != null && revenue_delta != null) fault("revenue_delta", twice, "amount_twice");
    if ((payout ?? revenue ?? payout_delta ?? revenue_delta ?? converted ?? null) === null) {
      fault("payout", "payout, revenue, a delta of them, or converted is needed", "missing");
    }
  });
export type Adjustment = z.output<typeof adjustment>;

/** The request. Equal rows count once; rows that adjust one call differently are refused. */
export const adjustmentsBody = z
  .object({
    adjustments: z.array(adjustment).min(1).max(mostAdjustments),
    transaction_id: wellFormedText.min(1).max(255).nullish(),
    fire_webhooks: z.boolean().default(false).describe("Whether webhooks of call.updated are told."),
  })
  .superRefine(({ adjustments }, { addIssue }) => {
    const byCall = new Map<string, Adjustment>();
    adjustments.forEach((each, index) => {
      const other = byCall.get(each.call_id);
      byCall.set(each.call_id, other ?? each);
      if (other === undefined || isDeepStrictEqual(other, each)) return;
      const message = "is adjusted by another row, too, and differently";
      addIssue({
        code: "custom",
        path: ["adjustments", index, "call_id"],
        message,
        params: { type: "call_twice" },
        input: each.call_id,
      });
    });
  });
export type AdjustmentsBody = z.output<typeof adjustmentsBody>;

/** Returns the adjustments without repeated rows, in the order of the request. */
export const distinctAdjustments = ({ adjustments }: AdjustmentsBody): Adjustment[] => [
  ...new Map(adjustments.map((each) => [each.call_id, each])).values(),
];

const answeredDollars = z.number().nullable();
const money = z.object({
  revenue: answeredDollars,
  payout: answeredDollars,
  profit: answeredDollars,
  payable: z.boolean(),
  receivable: z.boolean(),
  converted: z.boolean(),
});

/** The result of one row; `before` and `after` are of the time when the request was accepted. */
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

/** The signals to publish and the answer of a request, stored before either happens. */
export const adjustmentsDecision = z.object({ signals: z.array(signalSchema), answer: adjustmentsAnswer });
export type AdjustmentsDecision = z.infer<typeof adjustmentsDecision>;

export interface DecisionOptions {
  readonly orgId: OrgId;
  /** The actor, such as `api_key:<id>`. */
  readonly source: string;
  readonly fireWebhooks: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  newId(): string;
}

/** Decides each row by itself, in their order: one that fails leaves the others as they are. */
export function decideAdjustments(
  adjustments: readonly Adjustment[],
  found: ReadonlyMap<CallId, FoundCall>,
  options: DecisionOptions,
): AdjustmentsDecision {
  const decided = adjustments.map((each) => decideOne(each, found.get(each.call_id), options));
  const succeeded = decided.filter(({ result }) => result.success).length;
  return {
    signals: decided.flatMap(({ signal }) => signal ?? []),
    answer: {
      data: decided.map(({ result }) => result),
      meta: { requested: decided.length, succeeded, failed: decided.length - succeeded },
    },
  };
}

interface DecidedRow {
  readonly signal: AdjustmentsDecision["signals"][number] | null;
  readonly result: Result;
}

function decideOne(adjustment: Adjustment, found: FoundCall | undefined, options: DecisionOptions): DecidedRow {
  const { call_id: id } = adjustment;
  const fault = faultOf(adjustment, found);
  if (found === undefined || fault !== null) {
    return { signal: null, result: { id, success: false, before: null, after: null, error: fault } };
  }
  const { orgId, source, now } = options;
  const change = changeOf(adjustment, options);
  const { signal, answer } = planChange(change, { orgId, source, found, now, updateId: options.newId() });
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

const changeOf = (adjustment: Adjustment, { fireWebhooks }: DecisionOptions): Change => ({
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
