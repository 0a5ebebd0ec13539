import { expect, it, onTestFinished } from "vitest";
import { createHealthMonitor, type DeliveryAlert } from "../../../../api/webhooks/deliver/health-monitor.ts";
import { orgOne, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { eventually, hook, openConfig } from "./delivery-rig.ts";

it("what is found out of a webhook is told to every process with the change, not after it", async () => {
  const clock = createManualClock(startOfTime);
  const { database, snapshot, service, webhook } = await openConfig([hook("call.completed", "hook")], clock);
  const alerts: DeliveryAlert[] = [];
  const troubles: unknown[] = [];
  const monitor = createHealthMonitor({
    // As if the process died right after each statement and transaction.
    database: { ...database, notify: () => Promise.reject(new Error("the process is gone")) },
    snapshot,
    clock,
    edit: service.edit,
    terms: { pauseAfterMs: 1000, probeEveryMs: 5000 },
    onAlert: (alert) => void alerts.push(alert),
    onTrouble: (error) => void troubles.push(error),
  });
  onTestFinished(monitor.close);
  const fails = (exhausted: boolean) =>
    monitor.report({ orgId: orgOne, webhookId: "hook", result: "failed", exhausted });

  fails(true);
  await eventually(() => expect(webhook("hook")?.health).toMatchObject({ exhausted: true, paused: false }));
  clock.advance(1000);
  fails(true);
  await eventually(() => expect(webhook("hook")?.pause?.reason).toBe("failing"));
  clock.advance(5000);
  const [one, other] = [webhook("hook"), webhook("hook")];
  if (one === undefined || other === undefined) throw new Error("no webhook");
  expect((await Promise.all([monitor.takeProbe(one), monitor.takeProbe(other)])).filter(Boolean)).toHaveLength(1);
  await eventually(() => expect(Date.parse(webhook("hook")?.health?.next_probe_at ?? "")).toBe(clock.now() + 5000));
  // The pause is seen as soon as it is written, and told of behind that.
  await eventually(() =>
    expect(alerts.map(({ kind }) => kind)).toEqual(["exhausted", "failing", "exhausted", "paused"]),
  );
  expect(troubles).toEqual([]);
});
