import { describe, expect, it, onTestFinished } from "vitest";
import { type Actor, createAuditOutbox, recordChange } from "../../../api/config/audit-outbox.ts";
import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { allRights } from "../../../api/serve/rights.ts";
import type { AuditRecord } from "../../../ingest/audit.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { LogError, type NewMessage } from "../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { orgOne, startOfTime } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";

const caller = {
  orgId: orgOne,
  admin: false,
  rights: allRights,
  actor: { type: "api_key", id: "key", name: null },
} as const;
const actor: Actor = { caller, requestId: null, sourceIp: null };

async function openRig() {
  const database = await openSqliteDatabase({ path: ":memory:" });
  onTestFinished(() => database.close());
  const record = (name: string, value: unknown = "b") =>
    recordChange(database, actor, {
      action: "update",
      entity: { type: "buyer", id: name, name },
      now: startOfTime,
      changes: [{ field: "name", old: "a", new: value }],
    });
  return { database, record };
}

const recordsIn = (messages: readonly NewMessage[]) => messages.map(({ value }) => JSON.parse(value) as AuditRecord);
const namesIn = (messages: readonly NewMessage[]) => recordsIn(messages).map((record) => record.entity_name);

describe("the outbox of audit records", () => {
  it("hands over what comes after a record that the log finds too large, and of that one the fields", async () => {
    const { database, record } = await openRig();
    const log = await openLmdbLog({ dir: temporaryFolder(), clock: systemClock });
    onTestFinished(() => log.close());
    await record("first");
    await record("too large", "x".repeat(1_100_000));
    await record("last");
    const taken: NewMessage[] = [];
    const publish: typeof log.publish = async (messages) => {
      const positions = await log.publish(messages);
      taken.push(...messages);
      return positions;
    };
    await createAuditOutbox(database, { publish }).drain();
    expect(namesIn(taken)).toEqual(["first", "too large", "last"]);
    expect(recordsIn(taken)[1]?.changes).toEqual([{ field: "name", old: "[cut]", new: "[cut]" }]);
    expect(await database.query("SELECT id FROM audit_outbox")).toEqual([]);
  });

  it("hands over no more at once than the log and this process hold", async () => {
    const { database, record } = await openRig();
    const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
    for (const name of names) await record(name, "x".repeat(900_000));
    const rounds: NewMessage[][] = [];
    await createAuditOutbox(database, {
      async publish(messages) {
        rounds.push([...messages]);
        return [];
      },
    }).drain();
    expect(namesIn(rounds.flat())).toEqual(names);
    for (const round of rounds) expect(Buffer.byteLength(JSON.stringify(round))).toBeLessThan(10 * 1024 * 1024);
    expect(rounds.length).toBeLessThan(5);
  });

  it("keeps what could not be handed over for the next time, and all who wait are served by one", async () => {
    const { database, record } = await openRig();
    const calls: string[][] = [];
    let down = true;
    const outbox = createAuditOutbox(database, {
      async publish(messages) {
        if (down) throw new LogError("log_unavailable", "no answer");
        calls.push(namesIn(messages).map(String));
        return [];
      },
    });
    await record("first");
    await expect(outbox.drain()).rejects.toThrow("no answer");
    down = false;
    const running = outbox.drain();
    await record("second");
    const waiting = Array.from({ length: 50 }, () => outbox.drain());
    expect(new Set(waiting).size).toBe(1);
    await Promise.all([running, ...waiting]);
    expect(calls.flat()).toEqual(["first", "second"]);
  });
});
