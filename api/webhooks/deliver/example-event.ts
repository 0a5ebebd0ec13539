import type { Call } from "../../../ingest/call.ts";
import { isoTime } from "../../../ingest/clock.ts";
import type { CallEvent, CallEventName } from "../../../ingest/event.ts";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import type { EventId, OrgId } from "../../../ingest/primitives.ts";
import { type Signal, type SignalInput, signalSchema } from "../../../ingest/signal.ts";

export const exampleCallId = "example-call";

/** A call of a minute and a bit, so that all of its marks are reached. */
const exampleSeconds = 65;

/**
 * Returns the event of an invented call, with the fields that are populated by then and no others. The call came in so
 * long before `now` that it is over; it is in no store.
 */
export function exampleEvent(orgId: OrgId, name: CallEventName, now: number): CallEvent {
  if (name === "call.updated") {
    const completed = exampleEvent(orgId, "call.completed", now);
    const corrected = { version: completed.version + 1, revenue: 25, profit: 5, revenue_overridden: true };
    return { ...completed, ...corrected, event: name, id: `${exampleCallId}:${name}` as EventId };
  }
  const event = eventsOf(name === "call.failure" ? failing : lasting, orgId, now).find(({ event }) => event === name);
  if (event === undefined) throw new Error(`the example call has no ${name}`);
  return event;
}

function eventsOf(life: readonly Said[], orgId: OrgId, now: number): CallEvent[] {
  const began = now - 2 * exampleSeconds * 1000;
  let call: Call | undefined;
  return life.flatMap(({ after, ...said }, position) => {
    const applied = applySignal(call, toSignal(said, orgId, began + after * 1000), position);
    if (applied.kind !== "applied") throw new Error(`${said.kind} cannot follow in the example call: ${applied.kind}`);
    call = applied.call;
    return applied.events;
  });
}

const toSignal = (said: object, org_id: OrgId, at: number): Signal =>
  signalSchema.parse({ ...said, org_id, call_id: exampleCallId, at: isoTime(at) });

type SaidOf<S> = S extends SignalInput ? Omit<S, "org_id" | "call_id" | "at"> : never;
/** A signal so many seconds after the call's beginning. */
type Said = SaidOf<SignalInput> & { readonly after: number };

const incoming: Said = {
  kind: "incoming",
  after: 0,
  call_sid: "example-sid",
  from: "+12125550123",
  to: "+18005550100",
  caller_state: "NY",
  caller_zip: "10001",
  campaign: { id: "example-campaign", name: "Example campaign" },
  publisher: { id: "example-publisher", name: "Example publisher" },
  publisher_terms: { payout: 20, condition: "call_successfully_connected" },
  tags: { utm_source: "example", lead_type: "example" },
};
const dialing: Said = {
  kind: "dialing",
  after: 2,
  target: { id: "example-target", name: "Example target", type: "number" },
  buyer: { id: "example-buyer", name: "Example buyer" },
  buyer_terms: { revenue: 30, condition: "call_successfully_connected" },
};
const lasting: readonly Said[] = [
  incoming,
  dialing,
  { kind: "answered", after: 5 },
  { kind: "hung_up", after: 5 + exampleSeconds, by: "caller" },
];
const failing: readonly Said[] = [
  incoming,
  dialing,
  { kind: "dial_failed", after: 9, reason: "busy" },
  { kind: "failed", after: 9, reason: "busy" },
];
