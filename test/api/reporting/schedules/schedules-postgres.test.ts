// @module-tag slow
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { expect, it, onTestFinished } from "vitest";
import { openPostgresDatabase } from "../../../../api/database/database-postgres.ts";
import { openPglite } from "../../../pglite.ts";
import { openTestReceiver } from "../../../platform.ts";
import { openConversations } from "../conversations/conversation-server.ts";

const hourMs = 60 * 60 * 1000;

it("schedules are kept, run, tried again, paused and deleted on PostgreSQL, too", async () => {
  const server = new PGLiteSocketServer({ db: await openPglite(), port: 0, maxConnections: 10 });
  await server.start();
  onTestFinished(() => server.stop());
  const url = `postgresql://postgres@${server.getServerConn()}/postgres`;
  const rig = await openConversations({ database: await openPostgresDatabase({ url, poolSize: 1 }) });
  onTestFinished(() => rig.close());
  let status = 200;
  const receiver = await openTestReceiver(() => ({ status }));
  const pass = async (ms: number) => {
    rig.clock.advance(ms);
    await rig.runner.poll();
    await rig.runner.idle();
  };

  const query = "calls by campaign last month";
  const { plan } = (await rig.ask({ query })).body;
  const saved = (await rig.send("POST", "/saved", { body: { name: query, query, plan } })).body;
  const condition = { kind: "rows" };
  const deliver_to = { kind: "webhook", url: receiver.url };
  const body = { saved_question_id: saved.id, timing: { every: "hour" }, condition, deliver_to };
  const { id } = (await rig.send("POST", "/schedules", { body })).body;
  const read = async () => (await rig.send("GET", `/schedules/${id}`)).body;

  await pass(hourMs);
  expect(await read()).toMatchObject({ last_result: "delivered", alerting_since: expect.stringMatching(/Z$/) });
  await pass(hourMs);
  expect(await read()).toMatchObject({ last_result: "quiet" });
  await rig.send("PATCH", `/schedules/${id}`, { body: { condition: null } });
  status = 503;
  await pass(hourMs);
  for (const minutes of [1, 5, 30]) await pass(minutes * 60_000);
  expect(await read()).toMatchObject({ last_result: "failed" });
  status = 410;
  for (let times = 0; times < 4; times += 1) await pass(hourMs);
  expect(await read()).toMatchObject({ state: "paused", pause_reason: "failing" });
  const { data, meta } = (await rig.send("GET", `/schedules/${id}/runs?limit=2`)).body;
  expect([data.length, meta.total]).toEqual([2, 6]);
  expect((await rig.send("GET", "/schedules")).body.data).toMatchObject([{ id }]);
  expect((await rig.send("POST", `/schedules/${id}/send`)).body).toMatchObject({ status: "failed" });
  expect((await rig.send("DELETE", `/schedules/${id}`)).status).toBe(200);
  await rig.runner.release();
  expect(rig.troubles).toEqual([]);
});
