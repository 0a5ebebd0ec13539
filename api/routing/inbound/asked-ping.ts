import type { Clock } from "../../../ingest/clock.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import { uuidv7 } from "../../../ingest/uuid.ts";
import type { InboundEndpoint } from "../../config/endpoint-index.ts";
import type { Resource } from "../../config/registry.ts";
import { type CallerFindings, type CallReason, type EntryCandidate, entryRefusal } from "../call-eligibility.ts";
import { type CallerLocation, locateCaller } from "../caller-location.ts";
import { createDecisionTrace } from "../decision-trace.ts";
import type { Subject } from "../filters.ts";
import { foldParameters, type PingParameters, type Sent } from "./parameters.ts";

/** The parameters of a ping as they were sent, and its endpoint. */
export interface SentPing {
  readonly endpoint: InboundEndpoint;
  readonly query: Sent;
  readonly body: Sent;
}

/** A ping as it is judged: one instant, one location, one caller. */
export interface AskedPing {
  readonly endpoint: InboundEndpoint;
  readonly requestId: string;
  readonly now: number;
  readonly parameters: PingParameters;
  /** E.164; null where none was given, or none that can be a number. */
  readonly caller: string | null;
  readonly location: CallerLocation;
  readonly campaign: Resource<"campaign"> | undefined;
  readonly publisher: Resource<"publisher"> | undefined;
  readonly trace: ReturnType<typeof createDecisionTrace>;
}

export function toAskedPing({ endpoint, query, body }: SentPing, clock: Clock): AskedPing {
  const { config, inboundRtb } = endpoint;
  const now = clock.now();
  const customKeys = query.length + body.length > 0 ? config.all("custom_tag").map(({ key }) => key) : [];
  const parameters = foldParameters(query, body, customKeys);
  const caller = parameters.caller === null ? null : toE164(parameters.caller);
  const trace = createDecisionTrace(clock);
  // Its record has the tags, which may be long, as its parameters.
  const { tags: _tags, ...asked } = parameters;
  trace.note("ping.received", { inbound_rtb_id: inboundRtb.inbound_rtb_id ?? "", ...asked });
  return {
    endpoint,
    requestId: uuidv7(now),
    now,
    parameters,
    caller,
    trace,
    location: locateCaller({ zip: parameters.zip, state: parameters.state, caller }),
    campaign: config.get("campaign", inboundRtb.campaign_id),
    publisher: config.get("publisher", inboundRtb.publisher_id),
  };
}

export type PingRefusal = CallReason | "caller_id_required";

/** Returns the first reason against a ping that is known without asking anybody; null if there is none. */
export function refusalAtEntry(ping: AskedPing, rateLimited: boolean): PingRefusal | null {
  const { endpoint, parameters, caller } = ping;
  const callerInvalid = parameters.caller !== null && caller === null;
  const callerBlocked = caller !== null && endpoint.config.isBlocked(caller);
  const subject = subjectOf(ping, { rateLimited, callerInvalid, callerBlocked });
  if (subject === null) return "campaign_inactive";
  const refusal = entryRefusal(subject);
  if (refusal !== null) return refusal;
  // One number for all: whose allocation a call is for, only its caller tells.
  return endpoint.inboundRtb.receive_mode !== "dynamic" && caller === null ? "caller_id_required" : null;
}

/** Null where its campaign is gone. */
export function subjectOf(
  { endpoint: { config, inboundRtb }, campaign, publisher, now }: AskedPing,
  caller: CallerFindings,
): EntryCandidate | null {
  if (campaign === undefined) return null;
  return { inboundRtb, campaign, publisher, caller, organizationTimezone: config.organization.timezone, now };
}

/** The facts of a ping that filters are matched against. */
export const filteredOf = ({ caller, location, publisher, campaign, parameters, now }: AskedPing) =>
  ({
    caller,
    zip: location.zip,
    state: location.state,
    number: null,
    tags: parameters.tags,
    now,
    publisher: publisher ? { id: publisher.id, name: publisher.name } : null,
    campaign: campaign ? { id: campaign.id, name: campaign.name } : null,
  }) satisfies Omit<Subject, "timezone">;
