import { expect, vi } from "vitest";
import type { Platform } from "../../api/compose.ts";
import { anInboundPing, anOutboundPing } from "../make.ts";
import type { Member } from "./use-platform.ts";

/** The ids of a member's RTB records, whether or not there are any yet. */
export const recordIds = ({ keyId }: Pick<Member, "keyId">) => ({
  inbound_request: `ping-of-${keyId}`,
  outbound_request: `bid-of-${keyId}`,
});

/** Gives a member a record of each direction, of now, and waits until these and the call can be read. */
export async function recordRtb({ log }: Platform, member: Member, callId: string): Promise<void> {
  const { inbound_request: request_id, outbound_request: id } = recordIds(member);
  const about = { org_id: member.id, created_at: new Date().toISOString() };
  const expires_at = about.created_at;
  const records = [
    anInboundPing({ ...about, request_id, allocations: [{ number: "+18005550150", route_id: null, expires_at }] }),
    anOutboundPing({ ...about, id, inbound_request_id: request_id }),
  ];
  await log.publish(
    records.map((record) => ({ topic: "rtb-requests", key: member.id, value: JSON.stringify(record) })),
  );
  const paths = [
    `inbound-rtb/requests/${request_id}`,
    `outbound-rtb/requests/${id}`,
    `reports/calls/${callId}/timeline`,
  ];
  await vi.waitFor(async () => {
    for (const path of paths) expect((await member.get(`/api/v1/${path}`)).status).toBe(200);
  }, 10_000);
}
