import { describe, expect, it, vi } from "vitest";
import { isoTime } from "../../../ingest/clock.ts";
import { anIncomingRequest, anOutgoingRequest } from "../../make.ts";
import { foundCompany } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform();

const outgoing = "/api/v1/webhooks/outgoing-stats";
const incoming = "/api/v1/webhooks/incoming-stats";

const create = async (member: Member, name: string, given: object = {}): Promise<{ id: string }> =>
  done(
    member.post("/api/v1/outgoing-webhooks", {
      name,
      event_type_id: "call.completed",
      url: "https://me:secret@crm.example/[CALL_ID]",
      ...given,
    }),
  );

/** Stores records of the history, so many seconds ago, and waits until they are read. */
async function recorded(
  member: Member,
  records: readonly { readonly id: string; readonly ago: number; readonly made: object }[],
  kind: "outgoing" | "incoming" = "outgoing",
) {
  const make = kind === "outgoing" ? anOutgoingRequest : anIncomingRequest;
  await rig().platform.log.publish(
    records.map(({ id, ago, made }) => {
      const at = isoTime(Date.now() - ago * 1000);
      const record = make({ id, org_id: member.id, created_at: at, updated_at: at, ...made });
      return { topic: "webhook-deliveries" as const, key: id, value: JSON.stringify(record) };
    }),
  );
  const total = async () => (await done(member.get(`/api/v1/webhooks/${kind}-requests`))).meta.total;
  await vi.waitFor(async () => expect(await total()).toBe(records.length), 15_000);
}

const asUser = async (member: Member, role: "analyst" | "admin") => {
  const token = (await rig().platform.issueToken?.({ userId: role, orgId: member.id, role }, 600)) ?? "";
  return (method: string, path: string, body?: unknown) =>
    member.send(method, path, { headers: { Authorization: `Bearer ${token}` }, body });
};

describe("the figures of outgoing webhooks", () => {
  it("stand beside their state, those that are paused first, and what names each", async () => {
    const member = await join();
    const [one, two, three] = [
      await create(member, "Hook 10"),
      await create(member, "Hook 9"),
      await create(member, "Paused"),
    ];
    const ids = await foundCompany(member);
    await done(member.patch(`/api/v1/campaigns/${ids.campaign}`, { outgoing_webhooks: [one.id] }));
    await done(member.patch(`/api/v1/targets/${ids.target}`, { outgoing_webhooks: [one.id] }));
    await done(member.post(`/api/v1/outgoing-webhooks/${three.id}/pause`, { duration_minutes: 60 }));
    const of = (id: string, given: object = {}) => ({ outgoing_webhook_config_id: id, ...given });
    const refused = { outcome: "refused", error_class: "http_5xx", response_status_code: 503 };
    await recorded(member, [
      { id: "1", ago: 60, made: of(one.id, { response_time_ms: 40 }) },
      { id: "2", ago: 50, made: of(one.id, { response_time_ms: 60, ...refused }) },
      { id: "3", ago: 3 * 86_400, made: of(one.id, { response_time_ms: 5000 }) },
    ]);
    const { data, meta, ...about } = await done(member.get(`${outgoing}?search=HOOK%20`));
    expect(about).toEqual({ may_change: true, start_date: expect.any(String), end_date: expect.any(String) });
    expect(Date.parse(about.end_date) - Date.parse(about.start_date)).toBe(86_400_000);
    expect(meta).toMatchObject({ total: 2 });
    expect(data).toMatchObject([
      {
        id: two.id,
        name: "Hook 9",
        attached_to: { count: 0, data: [] },
        stats: { attempts: 0, success_rate: null, last_attempt_at: null, last_failure: null },
      },
      {
        id: one.id,
        name: "Hook 10",
        url: "https://me:***@crm.example/[CALL_ID]",
        delivery_state: "ok",
        attached_to: {
          count: 2,
          data: [
            { kind: "campaign", id: ids.campaign, name: "Sunny campaign" },
            { kind: "target", id: ids.target, name: "Sunny target" },
          ],
        },
        stats: {
          attempts: 2,
          delivered: 1,
          failed: 1,
          success_rate: 0.5,
          p95_ms: 59,
          last_failure: { id: "2", outcome: "refused", response_status_code: 503, call_id: "call-1" },
        },
      },
    ]);
    const all = await done(member.get(outgoing));
    expect(all.data.map(({ name }: { name: string }) => name)).toEqual(["Paused", "Hook 9", "Hook 10", "Sunny out"]);
    expect(all.data[0]).toMatchObject({ delivery_state: "paused", delivery_reason: "requested", is_paused: true });
    const long = await done(
      member.get(`${outgoing}?webhook_id=${one.id}&start_date=${isoTime(Date.now() - 7 * 86_400_000)}`),
    );
    expect(long.data).toMatchObject([{ id: one.id, stats: { attempts: 3 } }]);
    expect((await done(member.get(`${outgoing}?limit=1&offset=2`))).data).toMatchObject([{ name: "Hook 10" }]);
    expect(await member.get(`${outgoing}?start_date=2020-01-01T00:00:00Z`)).toMatchObject({ status: 422 });
    expect((await done((await join()).get(outgoing))).data).toEqual([]);
  });

  it("are read once for all who ask within seconds, keys and users alike", async () => {
    const member = await join();
    const { id } = await create(member, "CRM");
    const analyst = await asUser(member, "analyst");
    const [one, two] = await Promise.all([
      done(member.get(`${outgoing}?webhook_id=${id}&end_date=2026-01-02T00:00:00Z`)),
      analyst("GET", `/v1/webhooks/outgoing-stats?webhook_id=${id}&end_date=2026-01-02T00:00:00.001Z`),
    ]);
    // The second one is answered with the figures, and the period, of the first.
    expect(two.body.end_date).toBe(one.end_date);
    const other = await done(member.get(`${outgoing}?webhook_id=${id}&end_date=2026-01-03T00:00:00Z`));
    expect(other.end_date).not.toBe(one.end_date);
  });

  it("are looked at by analysts; of users, admins alone pause, preview, test and send again", async () => {
    const member = await join();
    const { id } = await create(member, "CRM");
    const [analyst, admin] = [await asUser(member, "analyst"), await asUser(member, "admin")];
    const list = "/v1/webhooks/outgoing-stats";
    expect(await analyst("GET", list)).toMatchObject({ status: 200, body: { may_change: false, data: [{ id }] } });
    const pause = { resource_type: "outgoing_webhook", ids: [id] };
    const filter = { webhook_id: id, outcome: "refused" };
    for (const [path, body] of [
      ["/v1/bulk/pause", pause],
      [`/v1/outgoing-webhooks/${id}/preview`, {}],
      [`/v1/outgoing-webhooks/${id}/test`, {}],
      ["/v1/webhooks/redeliveries", { filter, dry_run: true }],
    ] as const) {
      expect(await analyst("POST", path, body), path).toMatchObject({
        status: 403,
        body: { detail: { message: expect.stringMatching(/^Only an admin of your organization may /) } },
      });
      expect(await admin("POST", path, body), path).toMatchObject({ status: 200 });
    }
    expect(await admin("GET", list)).toMatchObject({
      body: {
        may_change: true,
        data: [{ delivery_state: "paused", delivery_reason: "requested", paused_by: "user:admin" }],
      },
    });
    const audit = async () => (await done(member.get(`/api/v1/audit-logs?entity_id=${id}`))).data;
    await vi.waitFor(
      async () =>
        expect(await audit()).toContainEqual(
          expect.objectContaining({ action: "pause", actor: { type: "user", id: "admin", name: null } }),
        ),
      15_000,
    );
    await admin("POST", "/v1/bulk/resume", pause);
    expect(await analyst("GET", list)).toMatchObject({ body: { data: [{ delivery_state: "ok", paused_by: null }] } });
    const started = await admin("POST", "/v1/webhooks/redeliveries", { filter });
    const one = `/v1/webhooks/redeliveries/${(started.body as { id: string }).id}`;
    expect(await analyst("GET", one)).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await analyst("DELETE", one)).toMatchObject({ status: 403 });
    expect(await admin("DELETE", one)).toMatchObject({ status: 200 });
    const stranger = await asUser(await join(), "admin");
    expect(await stranger("GET", one)).toMatchObject({ status: 404 });
    expect(await stranger("POST", `/v1/outgoing-webhooks/${id}/test`, {})).toMatchObject({ status: 404 });
    expect(await stranger("POST", "/v1/bulk/pause", pause)).toMatchObject({ body: { meta: { succeeded: 0 } } });
  });
});

it("counts what incoming webhooks accepted and refused; their addresses are for admins", async () => {
  const member = await join();
  const made = await done(member.post("/api/v1/incoming-webhooks", { name: "Leads", type: "call_data" }));
  const ids = await foundCompany(member);
  await done(member.patch(`/api/v1/campaigns/${ids.campaign}`, { incoming_webhooks: [made.id] }));
  const of = (given: object = {}) => ({ incoming_webhook_config_id: made.id, ...given });
  const body = JSON.stringify({ detail: { code: "unprocessable", message: "caller_id is missing." } });
  await recorded(
    member,
    [
      { id: "1", ago: 60, made: of({ call_id: "call-1" }) },
      { id: "2", ago: 50, made: of() },
      { id: "3", ago: 40, made: of({ response_status_code: 422, response_body: body }) },
    ],
    "incoming",
  );
  const [row] = (await done(member.get(`${incoming}?search=lead`))).data;
  expect(row).toMatchObject({
    id: made.id,
    name: "Leads",
    type: "call_data",
    url: made.url,
    attached_to: { count: 1, data: [{ kind: "campaign", id: ids.campaign }] },
    stats: {
      requests: 3,
      accepted: 2,
      matched: 1,
      refused: 1,
      last_refusal: { id: "3", response_status_code: 422, response_body: body },
    },
  });
  const [analyst, admin] = [await asUser(member, "analyst"), await asUser(member, "admin")];
  expect(await analyst("GET", `/v1/webhooks/incoming-stats?webhook_id=${made.id}`)).toMatchObject({
    body: { data: [{ url: null }] },
  });
  expect(await admin("GET", `/v1/webhooks/incoming-stats?webhook_id=${made.id}`)).toMatchObject({
    body: { data: [{ url: made.url }] },
  });
});
