import { expect, it } from "vitest";
import { openTestReceiver } from "../../../platform.ts";
import { done, usePlatform } from "../../use-platform.ts";

const { join } = usePlatform({ settings: { ALLOW_PRIVATE_DESTINATIONS: "false" } });

it("the answer of a schedule reaches no address inside the network", async () => {
  const member = await join();
  const receiver = await openTestReceiver();
  const headers = { Authorization: `Bearer ${member.token}` };
  const send = (method: string, path: string, body?: unknown) =>
    done(member.send(method, `/reporting_ai${path}`, { headers, body }));
  const { plan } = await send("POST", "/query", { query: "calls yesterday" });
  const { id: saved_question_id } = await send("POST", "/saved", { name: "calls", query: "calls yesterday", plan });
  const { port } = new URL(receiver.url);
  for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "2130706433"]) {
    const deliver_to = { kind: "webhook", url: `http://${host}:${port}/` };
    const { id } = await send("POST", "/schedules", { saved_question_id, timing: { every: "hour" }, deliver_to });
    expect(await send("POST", `/schedules/${id}/send`), host).toMatchObject({ status: "failed", attempts: 1 });
  }
  expect(receiver.received).toEqual([]);
});
