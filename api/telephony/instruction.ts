import { z } from "zod";
import { buyerTermsSchema, publisherTermsSchema } from "../../ingest/terms.ts";

/** The number or SIP endpoint to dial. */
const destinationSchema = z.object({
  type: z.enum(["number", "sip"]),
  /** The target, or the RTB formula whose bid won. */
  target_id: z.string(),
  /** Seconds that it may ring. */
  timeout_seconds: z.int(),
  number: z.string().optional(),
  sip_endpoint: z.string().optional(),
  sip_username: z.string().nullish(),
  sip_headers: z.record(z.string(), z.string()).optional(),
});

/** Texts that are read to the caller first. */
const say = z.array(z.string());

/** The next thing for a switch to do with a call. */
export const instructionSchema = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("dial"),
    say,
    /** The number of the dial within the call, from 1: a report on an earlier one changes nothing. */
    dial: z.int(),
    destination: destinationSchema,
    terms: z.object({ buyer_terms: buyerTermsSchema, publisher_terms: publisherTermsSchema.nullish() }),
    record: z.boolean(),
  }),
  /** Waits for one digit. `turn` says which time a menu asks, from 1: digits for an earlier one change nothing. */
  z.object({ action: z.literal("gather"), say, turn: z.int(), timeout_seconds: z.int() }),
  z.object({ action: z.enum(["hangup", "reject"]), say, reason: z.string() }),
  /** Nothing to do: the call is connected, or over. */
  z.object({ action: z.literal("none") }),
]);
export type Instruction = z.infer<typeof instructionSchema>;

export const noAction: Instruction = { action: "none" };

/** Reasons that pass: the caller may well try again. */
const passing = /^(no_eligible_route|platform_unavailable)$|_(capped|concurrency)$/;

/** The kind of rejection that a caller hears: a busy signal, or that the call is not wanted. */
export const rejectionOf = (reason: string): "busy" | "rejected" => (passing.test(reason) ? "busy" : "rejected");

export const providers = ["simulator", "twilio", "jambonz"] as const;
type Provider = (typeof providers)[number];

/** A switch's report on a call. With `provider`, reports on calls of other switches are stale. */
export type Report = { readonly at?: string | undefined; readonly provider?: Provider | undefined } & (
  | { readonly type: "ringing" | "answer"; readonly dial?: number | undefined }
  | { readonly type: "no_answer" | "busy" | "fail"; readonly dial?: number | undefined }
  /** `digits` empty: the time was up. */
  | { readonly type: "digits"; readonly digits: string; readonly turn?: number | undefined }
  | {
      readonly type: "hangup";
      readonly by?: "caller" | "target" | undefined;
      /** Connected time as the carrier counted it: the call was connected no longer, however late the report is. */
      readonly connected_seconds?: number | undefined;
    }
  | { readonly type: "recorded"; readonly recording_url: string }
);

export interface ArrivingCall {
  /** The switch's name of the call; one that is reported twice by it is one call. */
  readonly call_sid?: string | undefined;
  /** The switch; names of calls are its own. */
  readonly provider: Provider;
  readonly from: string;
  readonly to: string;
  readonly at?: string | undefined;
  readonly caller_zip?: string | undefined;
  readonly caller_state?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** The outcome of a report; it is `stale` on a dial or a menu that the call has left, and on a call that is over. */
export interface Reported {
  readonly kind: "taken" | "stale";
  readonly callId: string;
  /** The present instruction, also for a stale report. */
  readonly instruction: Instruction;
}
