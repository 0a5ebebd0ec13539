import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createApiKeyStore } from "../../../api/config/api-keys.ts";
import { openSnapshot } from "../../../api/config/snapshot.ts";
import { createConfigStore } from "../../../api/config/store.ts";
import { type Database, DatabaseError } from "../../../api/database/database.ts";
import { orgOne, secondsIn } from "../../make.ts";
import { openConfig } from "./rig.ts";

const aBuyer = (name: string) => ({
  type: "buyer" as const,
  doc: { id: "b", org_id: orgOne, name, created_at: secondsIn(0), updated_at: secondsIn(0) },
});

/** A snapshot whose reads fail while `down`; what it reads is written past the failure. */
async function openRig() {
  const { database, store, clock } = await openConfig();
  const state = { down: false, reads: 0 };
  const failing: Database = {
    ...database,
    async query(text, params) {
      state.reads += 1;
      if (state.down) throw new DatabaseError("unavailable", "no answer");
      return database.query(text, params);
    },
  };
  const troubles: unknown[] = [];
  const snapshot = await openSnapshot({
    database: failing,
    store: createConfigStore(failing, clock),
    apiKeys: createApiKeyStore(failing, clock),
    clock,
    onTrouble: (error: unknown) => troubles.push(error),
  });
  onTestFinished(() => snapshot.close());
  const rename = async (name: string) => {
    await store.save(orgOne, [aBuyer(name)]);
    await snapshot.settled();
  };
  return {
    clock,
    snapshot,
    state,
    troubles,
    rename,
    name: () => snapshot.config(orgOne)?.get("buyer", "b")?.name,
    /** Resolves when the next try is waited for. */
    asleep: () => vi.waitFor(() => expect(clock.sleepers()).toBe(1)),
  };
}

describe("the first reading", () => {
  /** Opens a snapshot on a database whose reads of documents wait, each, until the test lets them go on. */
  async function openSlowly() {
    const { database, store, clock } = await openConfig();
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const state = { reading: false, fails: false };
    const slow: Database = {
      ...database,
      async query(text, params) {
        const rows = await database.query(text, params);
        if (/FROM documents WHERE org_id/.test(text)) {
          state.reading = true;
          await gate;
          if (state.fails) throw new DatabaseError("unavailable", "no answer");
        }
        return rows;
      },
    };
    const opening = openSnapshot({
      database: slow,
      store: createConfigStore(slow, clock),
      apiKeys: createApiKeyStore(slow, clock),
      clock,
      onTrouble: expect.fail,
    });
    await vi.waitFor(() => expect(state.reading).toBe(true));
    return { clock, state, opening, goOn: () => goOn(), rename: (name: string) => store.save(orgOne, [aBuyer(name)]) };
  }

  it("does not undo a change that is notified while it goes on", async () => {
    const { opening, goOn, rename } = await openSlowly();
    await rename("Meanwhile");
    goOn();
    const snapshot = await opening;
    onTestFinished(() => snapshot.close());
    await snapshot.settled();
    expect(snapshot.config(orgOne)?.get("buyer", "b")?.name).toBe("Meanwhile");
  });

  it("that fails is the error of opening, and nothing goes on", async () => {
    const { clock, state, opening, goOn, rename } = await openSlowly();
    state.fails = true;
    goOn();
    await expect(opening).rejects.toThrow("no answer");
    await rename("Nobody hears");
    expect(clock.sleepers()).toBe(0);
  });
});

describe("a refresh that failed", () => {
  it("is tried again by itself, and no notification meanwhile is missed", async () => {
    const rig = await openRig();
    await rig.rename("Known");
    rig.state.down = true;
    await rig.rename("Unseen");
    await rig.rename("Unseen too");
    expect([rig.name(), rig.troubles.length]).toEqual(["Known", 2]);
    rig.state.down = false;
    rig.clock.advance(100);
    await vi.waitFor(() => expect(rig.name()).toBe("Unseen too"));
    expect(rig.troubles).toHaveLength(2);
  });

  it("is tried at growing intervals, at most ten seconds apart", async () => {
    const rig = await openRig();
    rig.state.down = true;
    await rig.rename("Late");
    for (const [index, waitMs] of [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000].entries()) {
      await rig.asleep();
      rig.clock.advance(waitMs - 1);
      expect([rig.clock.sleepers(), rig.troubles.length]).toEqual([1, index + 1]);
      rig.clock.advance(1);
      expect(rig.clock.sleepers()).toBe(0);
      await vi.waitFor(() => expect(rig.troubles).toHaveLength(index + 2));
    }
    rig.state.down = false;
    await rig.asleep();
    rig.clock.advance(10_000);
    await vi.waitFor(() => expect(rig.name()).toBe("Late"));
    expect(rig.clock.sleepers()).toBe(0);
  });

  it("begins with a short interval again after one that succeeded", async () => {
    const rig = await openRig();
    for (const name of ["First", "Second"]) {
      rig.state.down = true;
      await rig.rename(name);
      for (const waitMs of [100, 200]) {
        await rig.asleep();
        rig.state.down = waitMs === 100;
        rig.clock.advance(waitMs);
      }
      await vi.waitFor(() => expect(rig.name()).toBe(name));
    }
  });

  it("is tried no more once the snapshot is closed, twice if need be", async () => {
    const rig = await openRig();
    rig.state.down = true;
    await rig.rename("Never seen");
    await rig.asleep();
    await rig.snapshot.close();
    await rig.snapshot.close();
    const { reads } = rig.state;
    rig.state.down = false;
    expect(rig.clock.sleepers()).toBe(0);
    rig.clock.advance(60_000);
    await rig.rename("Not seen either");
    expect([rig.state.reads, rig.name()]).toEqual([reads, undefined]);
  });
});
