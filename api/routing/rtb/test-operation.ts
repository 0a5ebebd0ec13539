import { z } from "zod";
import type { Clock } from "../../../ingest/clock.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import { shortText, tags } from "../../../ingest/primitives.ts";
import { outboundOutcomes, stepRecordSchema } from "../../../ingest/rtb.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { locateCaller } from "../caller-location.ts";
import { executeWin, type WinExecution } from "./execute-win.ts";
import type { Formula } from "./formula.ts";
import { execute } from "./ping.ts";
import { outcomeOf } from "./ping-record.ts";
import type { PingSender } from "./pinger.ts";
import type { PingContext } from "./placeholders.ts";

export interface TestOperationDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly pinger: PingSender;
  readonly clock: Clock;
}

const callerId = z
  .string()
  .max(64)
  .refine((text) => toE164(text) !== null, "must be a phone number, like +12125550123")
  .transform(toE164);

const body = z.object({
  caller_id: callerId.optional().describe("Without it, the formula's `caller_id_test`."),
  zip_code: shortText.optional(),
  tags: tags.default({}),
  dry_run: z
    .boolean()
    .default(true)
    .describe("Asks for a bid, and tells nobody that it has won. With false, a winner's steps are sent, too."),
});

const answer = z.object({
  outcome: z.enum(outboundOutcomes),
  reason: z.string().nullable(),
  bid: z.number().nullable(),
  duration: z.int().nullable(),
  phone_number: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  total_ms: z.number(),
  steps: z.array(stepRecordSchema),
});

/** Tries a formula on its buyer's real endpoint; no limit counts it. */
export const testOperation = (deps: TestOperationDeps): Operation =>
  defineOperation({
    method: "post",
    path: "/api/v1/rtbs/{rtb_id}/test",
    params: z.object({ rtb_id: z.string().min(1).max(255) }),
    tag: "RTB formulas",
    name: "testRtbFormula",
    summary: "Try an RTB formula on its buyer: its requests are sent, and nothing is routed or counted",
    access: "api_key",
    limit: "api",
    status: 200,
    body,
    bodyOptional: true,
    example: { caller_id: "+12125550123", zip_code: "10001", tags: { lead_type: "solar" } },
    answer,
    errors: [404],
    handle({ caller, params, body: given, requestId }) {
      const formula = deps.snapshot.config(caller.orgId)?.get("rtb_formula", params.rtb_id);
      if (formula === undefined) throw notFound(`The RTB formula ${params.rtb_id}`);
      return tryOut(deps, formula, { context: contextOf(formula, given, requestId), withWin: !given.dry_run });
    },
  });

function contextOf(formula: Formula, given: z.output<typeof body>, request_id: string): PingContext {
  const caller_id = given.caller_id ?? toE164(formula.caller_id_test);
  const about = { call_id: null, publisher_id: null, campaign_id: null, request_id, tags: given.tags };
  return { caller_id, ...locateCaller({ zip: given.zip_code, caller: caller_id }), ...about };
}

async function tryOut(
  { pinger: sender, clock }: TestOperationDeps,
  formula: Formula,
  { context, withWin }: { readonly context: PingContext; readonly withWin: boolean },
): Promise<z.input<typeof answer>> {
  const tried = await execute(formula, context, { limits: {}, sender, clock });
  const { steps, tags, total_ms } = tried;
  if (tried.kind === "refused") {
    const { reason, bid } = tried;
    const nothing = { duration: null, phone_number: null };
    return { outcome: outcomeOf(reason), reason, bid, ...nothing, tags, total_ms, steps: [...steps] };
  }
  if (!withWin) return { outcome: "bid", reason: null, ...termsOf(tried), tags, total_ms, steps: [...steps] };
  const win = await executeWin(formula, context, { won: tried, minimumBid: 0, sender, clock });
  return {
    outcome: "bid",
    reason: win.kind === "won" ? null : win.reason,
    ...termsOf(win.kind === "won" ? win : tried),
    tags: { ...tags, ...win.tags },
    total_ms: total_ms + win.total_ms,
    steps: [...steps, ...win.steps],
  };
}

type Won = Extract<WinExecution, { kind: "won" }>;
const termsOf = ({ bid, duration, phone_number }: Pick<Won, "bid" | "duration" | "phone_number">) => ({
  bid,
  duration,
  phone_number,
});
