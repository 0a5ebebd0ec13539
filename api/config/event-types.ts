import { type CallEventName, callEventNames } from "../../ingest/event.ts";

/** An event that outgoing webhooks can subscribe to; its id is its internal name, such as `call.connected`. */
export interface EventType {
  readonly id: CallEventName;
  readonly name: string;
  readonly internal_name: CallEventName;
  readonly description: string;
}

const described: Readonly<Record<CallEventName, readonly [name: string, description: string]>> = {
  "call.incoming": ["Call incoming", "A caller dials a tracking number and processing begins."],
  "call.connected": ["Call connected", "The call connects to a target."],
  "call.on_5_secs_mark": ["5 seconds mark", "Connected duration reaches 5 seconds."],
  "call.on_15_secs_mark": ["15 seconds mark", "Connected duration reaches 15 seconds."],
  "call.on_30_secs_mark": ["30 seconds mark", "Connected duration reaches 30 seconds."],
  "call.on_45_secs_mark": ["45 seconds mark", "Connected duration reaches 45 seconds."],
  "call.on_60_secs_mark": ["60 seconds mark", "Connected duration reaches 60 seconds."],
  "call.hangup": ["Call hangup", "Either party ends the call."],
  "call.failure": ["Call failure", "The call cannot be connected: busy, no answer, error."],
  "call.converted": ["Call converted", "The call meets the conversion criteria; fires after hangup."],
  "call.completed": ["Call completed", "Post-call processing finishes, with conversion and final amounts."],
  "call.updated": ["Call updated", "A call's figures or data are corrected after it was completed."],
};

export const eventTypes: readonly EventType[] = callEventNames.map((id) => {
  const [name, description] = described[id];
  return { id, name, internal_name: id, description };
});

export const eventTypeById: ReadonlyMap<string, EventType> = new Map(eventTypes.map((type) => [type.id, type]));
