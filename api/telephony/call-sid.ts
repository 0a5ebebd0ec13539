import { v5 as uuidv5, v7 as uuidv7 } from "uuid";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { CarrierCalls } from "./carriers.ts";
import type { ArrivingCall } from "./instruction.ts";

/** Namespace of ids made from the names that switches give calls, so that a call which is reported twice is one call. */
const namespace = "5a4f0c9e-52f5-4f0b-9a4e-3a3c7f2b8d11";

/** The id of a carrier's call. A carrier's names are unique: its report on a leg may not say whose call it is. */
export const callIdAtCarrier = (provider: ArrivingCall["provider"], callSid: string): CallId =>
  uuidv5(`${provider} ${callSid}`, namespace) as CallId;

/** The id of an arriving call. A name of an organization's own switch is unique only there. */
export function callIdOf(orgId: OrgId, { provider, call_sid }: Pick<ArrivingCall, "provider" | "call_sid">): CallId {
  if (call_sid === undefined) return uuidv7() as CallId;
  return provider === "simulator"
    ? (uuidv5(`${provider} ${orgId} ${call_sid}`, namespace) as CallId)
    : callIdAtCarrier(provider, call_sid);
}

/** The id of the call that a switch reports by the name of one that was refused. */
export const callIdAfter = (refused: CallId): CallId => uuidv5(refused, namespace) as CallId;

interface Owners {
  ownerOf(callId: string): Promise<{ readonly orgId: OrgId; readonly isRefused: boolean } | null>;
}

/** Finds a carrier's call, of any organization, while it is kept; none that was refused. */
export const findCall =
  (openCalls: Owners): CarrierCalls["find"] =>
  async (provider, callSid) => {
    let call_id = callIdAtCarrier(provider, callSid);
    let owner = await openCalls.ownerOf(call_id);
    while (owner?.isRefused) {
      call_id = callIdAfter(call_id);
      owner = await openCalls.ownerOf(call_id);
    }
    return owner === null ? null : { org_id: owner.orgId, call_id };
  };
