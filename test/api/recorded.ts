import { expect, vi } from "vitest";
import type { Platform } from "../../api/compose.ts";
import type { Topic } from "../../ingest/log/log.ts";
import { anInboundPing, anIncomingRequest, anOutboundPing, anOutgoingRequest } from "../make.ts";
import { done, type Member } from "./use-platform.ts";

/** The ids of a member's records, whether or not there are any yet. */
export const recordIds = ({ keyId }: Pick<Member, "keyId">) => ({
  inbound_request: `ping-of-${keyId}`,
  outbound_request: `bid-of-${keyId}`,
  delivery: `delivery-of-${keyId}`,
});

/** Gives a member a record of each kind and direction, of now, and waits until these and the call can be read. */
export async function recordTraffic({ log }: Platform, member: Member, callId: string): Promise<void> {
  const { inbound_request: request_id, outbound_request: id, delivery } = recordIds(member);
  const about = { org_id: member.id, created_at: new Date().toISOString() };
  const expires_at = about.created_at;
  const records = [
    anInboundPing({ ...about, request_id, allocations: [{ number: "+18005550150", route_id: null, expires_at }] }),
    anOutboundPing({ ...about, id, inbound_request_id: request_id }),
  ];
  const deliveries = [anOutgoingRequest({ ...about, id: delivery }), anIncomingRequest({ ...about, id: delivery })];
  const publish = (topic: Topic, records: readonly unknown[]) =>
    log.publish(records.map((record) => ({ topic, key: member.id, value: JSON.stringify(record) })));
  await publish("rtb-requests", records);
  await publish("webhook-deliveries", deliveries);
  const paths = [
    `inbound-rtb/requests/${request_id}`,
    `outbound-rtb/requests/${id}`,
    `reports/calls/${callId}/timeline`,
    `webhooks/outgoing-requests/${delivery}`,
    `webhooks/incoming-requests/${delivery}`,
  ];
  await vi.waitFor(async () => {
    for (const path of paths) expect((await member.get(`/api/v1/${path}`)).status).toBe(200);
  }, 10_000);
}

interface Question {
  readonly session: string;
  readonly message: string;
  readonly saved_question: string;
  readonly link: string;
  readonly schedule: string;
  readonly approved_question: string;
}

/** What the member's user asked the assistant and found right, the session of it, and the question as it was saved, linked and scheduled. */
export async function recordQuestion(member: Member): Promise<Question> {
  const headers = { Authorization: `Bearer ${member.token}` };
  const asking = member.send("POST", "/reporting_ai/query", { headers, body: { query: "calls by day last week" } });
  const { session_id: session, message_id: message, plan } = await done(asking);
  const saving = { headers, body: { name: "calls by day", query: "calls by day last week", plan } };
  const { id: saved_question } = await done(member.send("POST", "/reporting_ai/saved", saving));
  await done(member.send("POST", `/reporting_ai/messages/${message}/feedback`, { headers, body: { useful: true } }));
  const { data } = await done(member.send("GET", "/reporting_ai/approved", { headers }));
  const sharing = { headers, body: { query: saving.body.query, plan } };
  const { id: link } = await done(member.send("POST", "/reporting_ai/links", sharing));
  const deliver_to = { kind: "webhook", url: "https://hooks.customer.example/reports" };
  const scheduling = { headers, body: { saved_question_id: saved_question, timing: { every: "hour" }, deliver_to } };
  const { id: schedule } = await done(member.send("POST", "/reporting_ai/schedules", scheduling));
  return { session, message, saved_question, link, schedule, approved_question: data[0].id };
}
