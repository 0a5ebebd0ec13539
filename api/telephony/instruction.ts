import { z } from "zod";
import { buyerTermsSchema, publisherTermsSchema } from "../../ingest/terms.ts";

/** Where a switch sends the call. */
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

/** Texts that the caller hears before anything else happens. */
const say = z.array(z.string());

/** What a switch is told to do with a call. */
export const instructionSchema = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("dial"),
    say,
    /** Which dial of the call it is, from 1: a report on an earlier one changes nothing. */
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

export const providers = ["simulator", "twilio", "jambonz"] as const;
type Provider = (typeof providers)[number];

/** What a switch says of a call; where it says which switch it is, of its own calls alone. */
export type Report = { readonly at?: string | undefined; readonly provider?: Provider | undefined } & (
  | { readonly type: "ringing" | "answer"; readonly dial?: number | undefined }
  | { readonly type: "no_answer" | "busy" | "fail"; readonly dial?: number | undefined }
  /** `digits` empty: the time was up. */
  | { readonly type: "digits"; readonly digits: string; readonly turn?: number | undefined }
  | {
      readonly type: "hangup";
      readonly by?: "caller" | "target" | undefined;
      /** As the carrier counted it: the call was connected no longer, however late it is told. */
      readonly connected_seconds?: number | undefined;
    }
  | { readonly type: "recorded"; readonly recording_url: string }
);

export interface ArrivingCall {
  /** As the switch names it; a call that is told twice by this name is one call. */
  readonly call_sid?: string | undefined;
  /** Which switch: call names are its own. */
  readonly provider: Provider;
  readonly from: string;
  readonly to: string;
  readonly at?: string | undefined;
  readonly caller_zip?: string | undefined;
  readonly caller_state?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** What came of a report: `stale` is one on a dial or a menu that the call has left behind, or on a call that is over. */
export interface Reported {
  readonly kind: "taken" | "stale";
  readonly callId: string;
  /** What the call is to do now, whether or not the report was news. */
  readonly instruction: Instruction;
}
