import { describe, expect, it } from "vitest";
import type { Webhook } from "../../../../api/webhooks/deliver/attempt.ts";
import { onPartition } from "../../../contract/log-work.ts";
import { withFaults } from "../../../ingest/log/faulty-log.ts";
import { openTemporaryLog } from "../../../ingest/log/temporary-log.ts";
import { anEvent, anIncoming, orgTwo } from "../../../make.ts";
import { eventually, hook, openConfig, openRig, told } from "./delivery-rig.ts";

function nested(depth: number): Record<string, unknown> {
  let body: Record<string, unknown> = {};
  for (let level = 0; level < depth; level += 1) body = { a: body };
  return body;
}

describe("telling customers' systems", () => {
  it("goes in the events' order within one call, the next only after the answer to the one before", async () => {
    const rig = await openRig([hook("call.incoming"), hook("call.connected")], { unanswered: true });
    await rig.publish(told("call.incoming"), told("call.connected"));
    await eventually(() => expect(rig.receivers.asked).toEqual(["call-1/call.incoming"]));
    await rig.publish(told("call.incoming", { call: "call-2" }));
    // When the later call has been asked, the earlier one's second event has had its chance, too.
    await eventually(() => expect(rig.receivers.asked).toEqual(["call-1/call.incoming", "call-2/call.incoming"]));
    rig.receivers.answer("call-1/call.incoming", { outcome: "refused", status: 500 });
    await eventually(() => expect(rig.receivers.asked.at(-1)).toBe("call-1/call.connected"));
    rig.receivers.answer("call-1/call.connected");
    rig.receivers.answer("call-2/call.incoming");
  });

  it("goes on for other calls and other webhooks while one does not answer", async () => {
    const rig = await openRig([hook("call.incoming"), hook("call.incoming", "second")], { unanswered: true });
    await rig.publish(told("call.incoming", { campaign: ["call.incoming", "second"] }));
    await rig.publish(told("call.incoming", { call: "call-2", campaign: ["second"] }));
    await eventually(() =>
      expect(new Set(rig.receivers.asked)).toEqual(new Set(["call-1/call.incoming", "call-1/second", "call-2/second"])),
    );
    rig.receivers.answer("call-2/second");
    rig.receivers.answer("call-1/second");
    await eventually(async () => expect(await rig.records()).toHaveLength(2));
    rig.receivers.answer("call-1/call.incoming");
  });

  it.each([
    ["as its webhook says", { concurrency: 2 }, 2],
    ["as usual, where it is older than that field", { concurrency: undefined }, 10],
  ])("makes as many requests at once to an endpoint %s", async (_, given, atOnce) => {
    const webhook = hook("call.incoming");
    const rig = await openRig([webhook], { unanswered: true, stored: { ...webhook, ...given } as Webhook });
    const calls = Array.from({ length: atOnce + 2 }, (_, index) => `call-${index}`);
    await rig.publish(...calls.map((call) => told("call.incoming", { call })));
    const paths = calls.map((call) => `${call}/call.incoming`);
    for (const [index, path] of paths.entries()) {
      const asked = paths.slice(0, atOnce + index);
      await eventually(() => expect(rig.receivers.asked).toEqual(asked));
      rig.receivers.answer(path);
    }
  });

  it("happens once for a webhook that is attached to campaign and target alike", async () => {
    const rig = await openRig([hook("call.completed")]);
    await rig.publish(
      told("call.completed", { campaign: ["call.completed", "call.completed"], target: ["call.completed"] }),
    );
    await rig.publish(told("call.completed", { call: "call-2" }));
    await eventually(() => expect(rig.receivers.asked).toEqual(["call-1/call.completed", "call-2/call.completed"]));
  });

  it("happens for the event that the webhook is for, and for no other, unknown or foreign webhook", async () => {
    const rig = await openRig([hook("call.completed"), hook("call.completed", "theirs", orgTwo)]);
    const campaign = ["call.completed", "theirs", "deleted"];
    await rig.publish(told("call.incoming", { campaign }), told("call.completed", { campaign }));
    await rig.publish(told("call.completed", { call: "call-2" }));
    await eventually(() => expect(rig.receivers.asked).toEqual(["call-1/call.completed", "call-2/call.completed"]));
  });

  it("leaves a record of each attempt, failed ones too", async () => {
    const rig = await openRig([hook("call.completed")], { unanswered: true });
    await rig.publish(told("call.completed"));
    await eventually(() => expect(rig.receivers.asked).toHaveLength(1));
    rig.receivers.answer("call-1/call.completed", { outcome: "timeout", status: null, error: "late" });
    await eventually(async () =>
      expect(await rig.records()).toMatchObject([
        { outgoing_webhook_config_id: "call.completed", outcome: "timeout", response_status_code: null, error: "late" },
      ]),
    );
  });

  it("passes over what is no call event, and says so", async () => {
    const rig = await openRig([hook("call.completed")]);
    await rig.publishRaw("{broken");
    await rig.publishRaw('{"event":"call.completed"}');
    await rig.publish(told("call.completed"));
    await eventually(() => expect(rig.receivers.asked).toHaveLength(1));
    expect(rig.troubles.map(String)).toEqual([
      "UnreadableError: call-events 0:0 cannot be read: it is no JSON",
      expect.stringMatching(/^UnreadableError: call-events 0:1 cannot be read: call_id: is missing/),
    ]);
  });
});

describe("what would break the telling of one call", () => {
  it("such as a template nested too deep leaves a record with the reason, and the rest goes on", async () => {
    const rig = await openRig([hook("call.completed")], {
      stored: { ...hook("call.completed", "deep"), body: nested(100_000) },
    });
    await rig.publish(told("call.completed", { campaign: ["deep"] }), told("call.completed", { call: "call-2" }));
    await eventually(async () => expect(await rig.records()).toHaveLength(2));
    const [first] = await rig.records();
    expect(first).toMatchObject({ outgoing_webhook_config_id: "deep", outcome: "invalid", response_status_code: null });
    expect(first?.error).toContain("The template cannot be filled");
    expect(rig.receivers.asked).toEqual(["call-2/call.completed"]);
  });

  it("such as half a surrogate pair in a tag does not", async () => {
    const rig = await openRig([{ ...hook("call.incoming"), url: "https://crm.example/[NAME]" }]);
    const event = anEvent("call.incoming", [anIncoming({ tags: { name: "\ud800" } })]);
    await rig.publish({ ...event, terms: { ...event.terms, campaign_webhook_ids: ["call.incoming"] } });
    await eventually(() => expect(rig.receivers.asked).toEqual([encodeURIComponent("\ufffd")]));
  });

  it("such as a record that is too large for the log is recorded cut", async () => {
    const rig = await openRig([hook("call.completed")], { unanswered: true });
    await rig.publish(told("call.completed"));
    await eventually(() => expect(rig.receivers.asked).toHaveLength(1));
    rig.receivers.answer("call-1/call.completed", { body: "x".repeat(2 * 1024 * 1024) });
    await eventually(async () => expect((await rig.records())[0]?.response_body).toMatch(/… \[cut\]$/));
  });
});

describe("a log that refuses for a while", () => {
  it("ends nothing: what was told is committed once it takes commits again, and the next event is told", async () => {
    const { log } = await openTemporaryLog();
    const rig = await openRig([hook("call.completed")], { log: withFaults(log, { refusedCommits: 3 }) });
    await rig.publish(told("call.completed"));
    await eventually(() => expect(rig.troubles).toHaveLength(3));
    await rig.publish(told("call.completed", { call: "call-2" }));
    await eventually(() => expect(rig.receivers.asked).toEqual(["call-1/call.completed", "call-2/call.completed"]));
    await rig.stop();
    const at = { group: "deliver", topic: "call-events", partition: 0 } as const;
    expect(await onPartition(log, at, (reader) => reader.committed())).toBe(2);
  });
});

describe("a fault of our own", () => {
  it("stops the telling for all to see, with the event not committed", async () => {
    const config = await openConfig([]);
    const broken = {
      ...config.snapshot,
      config() {
        throw new Error("the config is gone");
      },
    };
    const rig = await openRig([], { config: { ...config, snapshot: broken } });
    await rig.publish(told("call.completed"));
    await expect(rig.delivery().finished).rejects.toThrow("the config is gone");
  });
});

describe("after a restart", () => {
  it("what was recorded is not sent again", async () => {
    const rig = await openRig([hook("call.incoming"), hook("call.completed")]);
    await rig.publish(told("call.incoming"), told("call.completed"));
    await eventually(async () => expect(await rig.records()).toHaveLength(2));
    await rig.restart();
    await rig.publish(told("call.incoming", { call: "call-2" }));
    await eventually(() => expect(rig.receivers.asked).toHaveLength(3));
    expect(rig.receivers.asked.at(-1)).toBe("call-2/call.incoming");
  });

  it("what was not begun when the reader stopped is sent, and what was begun has been finished", async () => {
    const webhooks = [hook("call.incoming"), hook("call.incoming", "second"), hook("call.connected")];
    const rig = await openRig(webhooks, { unanswered: true });
    const campaign = ["call.incoming", "second", "call.connected"];
    await rig.publish(told("call.incoming", { campaign }), told("call.connected", { campaign }));
    await eventually(() => expect(rig.receivers.asked).toEqual(["call-1/call.incoming", "call-1/second"]));
    const stopped = rig.delivery().close();
    rig.receivers.answer("call-1/call.incoming");
    rig.receivers.answer("call-1/second");
    await stopped;
    expect(rig.receivers.asked).toHaveLength(2);
    expect(await rig.records()).toHaveLength(2);
    await rig.restart();
    await eventually(() => expect(rig.receivers.asked).toHaveLength(3));
    expect(rig.receivers.asked.at(-1)).toBe("call-1/call.connected");
    rig.receivers.answer("call-1/call.connected");
  });
});
