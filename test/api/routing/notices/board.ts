import { describe, expect, it } from "vitest";
import type { NoticeBoard } from "../../../../api/routing/notices/notice-board.ts";
import type { Notice, NoticeKind } from "../../../../api/routing/notices/notices.ts";
import { orgOne, orgTwo, startOfTime } from "../../../make.ts";
import { maxPending, type UsedBoards } from "./boards.ts";

const aNotice = (given: Partial<Notice> = {}): Notice => ({
  kind: "taken",
  orgId: orgOne,
  id: "1",
  slot: "",
  value: "v",
  expiresAt: startOfTime + 60_000,
  ...given,
});

/** No text of PostgreSQL's may have it. */
const refused = "\u0000";

/** What a board hears from now on: of whom, and what. */
function hearing({ notices }: NoticeBoard, kind: NoticeKind = "taken"): string[] {
  const heard: string[] = [];
  notices.onHeard(kind, ({ orgId, id, slot, value }) => void heard.push([orgId, id, slot, value].join("|")));
  return heard;
}
/** What processes hear of each other through a database that they share. */
export function describeBoard({ openBoards, database }: UsedBoards): void {
  const countRows = async () => Number((await database().query("SELECT count(*) AS rows FROM rtb_notices"))[0]?.rows);

  function openTwo() {
    const rig = openBoards(2);
    const [one, two] = rig.boards;
    if (one === undefined || two === undefined) throw new Error("two boards were asked for");
    return { ...rig, one, two, heardByOne: hearing(one), heardByTwo: hearing(two) };
  }

  describe("a notice", () => {
    it("is heard once by the other process, in the order of telling, and not by who told it", async () => {
      const { one, heardByOne, heardByTwo, exchange, troubles } = openTwo();
      for (const id of ["b", "a"]) one.notices.tell(aNotice({ id }));
      await exchange();
      one.notices.tell(aNotice({ id: "c", orgId: orgTwo }));
      await exchange();
      expect([heardByOne, heardByTwo]).toEqual([[], [`${orgOne}|b||v`, `${orgOne}|a||v`, `${orgTwo}|c||v`]]);
      expect(troubles).toEqual([]);
    });

    it("replaces what its process told of the same slot, and nothing of another kind, organization or slot", async () => {
      const { one, heardByTwo, exchange } = openTwo();
      const other = [{ kind: "asker" }, { orgId: orgTwo }, { slot: "s" }, { id: "2" }] as const;
      for (const given of other) one.notices.tell(aNotice(given));
      one.notices.tell(aNotice({ value: "first" }));
      one.notices.tell(aNotice({ value: "newest" }));
      await exchange();
      expect(heardByTwo).toEqual([`${orgTwo}|1||v`, `${orgOne}|1|s|v`, `${orgOne}|2||v`, `${orgOne}|1||newest`]);
      one.notices.tell(aNotice({ value: "again" }));
      await exchange();
      expect(heardByTwo.at(-1)).toBe(`${orgOne}|1||again`);
      expect(await countRows()).toBe(5);
    });

    it("is heard by a process that starts later, as long as it stands, and then swept", async () => {
      const { one, clock, openBoard, exchange } = openTwo();
      one.notices.tell(aNotice({ id: "short", expiresAt: startOfTime + 1000 }));
      one.notices.tell(aNotice({ id: "long", expiresAt: startOfTime + 61_000 }));
      await exchange();
      clock.advance(1000);
      const late = openBoard();
      const heard = hearing(late);
      await late.round();
      expect(heard).toEqual([`${orgOne}|long||v`]);
      clock.advance(60_000);
      await one.round();
      expect(await countRows()).toBe(0);
    });

    it("comes with thousands of others, and each of them once", async () => {
      const { one, heardByTwo, exchange } = openTwo();
      for (let id = 0; id < 1500; id += 1) one.notices.tell(aNotice({ id: String(id) }));
      await exchange();
      expect(heardByTwo).toEqual(Array.from({ length: 1500 }, (_, id) => `${orgOne}|${id}||v`));
    });

    it("that a listener cannot read, as of another version, keeps nobody from the next", async () => {
      const { one, two, heardByTwo, exchange, troubles } = openTwo();
      two.notices.onHeard("asker", () => {
        throw new Error("unreadable");
      });
      one.notices.tell(aNotice({ kind: "asker" }));
      one.notices.tell(aNotice());
      await exchange();
      expect([heardByTwo.length, troubles.length]).toEqual([1, 1]);
    });

    it("that the database refuses costs none of those that are told with it", async () => {
      const { one, heardByTwo, exchange, troubles } = openTwo();
      const ids = Array.from({ length: 1000 }, (_, id) => (id % 400 === 7 ? `${id}${refused}` : String(id)));
      for (const id of ids) one.notices.tell(aNotice({ id }));
      await exchange();
      const taken = ids.filter((id) => !id.endsWith(refused));
      expect([heardByTwo, troubles.length]).toEqual([
        taken.map((id) => `${orgOne}|${id}||v`),
        ids.length - taken.length,
      ]);
    });

    it("is heard soon, too, after a thousand that the database refuses", async () => {
      const { one, heardByTwo, exchange, troubles } = openTwo();
      for (let id = 0; id < 1000; id += 1) one.notices.tell(aNotice({ id: `${id}${refused}` }));
      one.notices.tell(aNotice());
      await exchange();
      expect(heardByTwo).toEqual([`${orgOne}|1||v`]);
      expect(troubles.length).toBeLessThan(100);
    });

    it("of a process that stops is told before it is gone", async () => {
      const { one, two, heardByTwo } = openTwo();
      one.notices.tell(aNotice());
      await one.close();
      await two.round();
      expect(heardByTwo).toHaveLength(1);
    });
  });

  describe("while the database is away", () => {
    it("what is told waits, the newest of each, trouble is told once, and what was known is heard again", async () => {
      const { one, heardByTwo, exchange, exchanges, setAway, troubles } = openTwo();
      one.notices.tell(aNotice({ id: "before" }));
      await exchange();
      setAway(true);
      one.notices.tell(aNotice({ value: "old" }));
      await exchange();
      one.notices.tell(aNotice({ value: "new" }));
      await exchange();
      expect([heardByTwo.length, troubles.length, exchanges()]).toEqual([1, 2, 4]);
      setAway(false);
      await exchange();
      expect(new Set(heardByTwo)).toEqual(new Set([`${orgOne}|before||v`, `${orgOne}|1||new`]));
    });

    it("only so much waits: the oldest is given up first", async () => {
      const { one, heardByTwo, exchange } = openTwo();
      for (let id = 0; id < maxPending + 2; id += 1) one.notices.tell(aNotice({ id: String(id) }));
      await exchange();
      expect([heardByTwo.length, heardByTwo[0]]).toEqual([maxPending, `${orgOne}|2||v`]);
    });

    it("no more waits than that when more is told in the midst of rounds that fail", async () => {
      const { one, heardByTwo, exchange, setAway } = openTwo();
      setAway(true);
      for (let id = 0; id < 3 * maxPending; ) {
        const failing = one.round();
        for (const end = id + maxPending; id < end; id += 1) one.notices.tell(aNotice({ id: String(id) }));
        await failing;
      }
      setAway(false);
      await exchange();
      expect([heardByTwo.length, heardByTwo[0]]).toEqual([maxPending, `${orgOne}|${2 * maxPending}||v`]);
    });

    it("what is told anew in the midst of a round is told in the next", async () => {
      const { one, heardByTwo, exchange } = openTwo();
      one.notices.tell(aNotice({ value: "first" }));
      const telling = one.round();
      one.notices.tell(aNotice({ value: "anew" }));
      await telling;
      await exchange();
      expect(heardByTwo.at(-1)).toBe(`${orgOne}|1||anew`);
    });

    it("what has expired meanwhile takes the place of nothing that stands", async () => {
      const { one, heardByTwo, exchange, setAway, clock } = openTwo();
      for (let id = 1; id < maxPending; id += 1) one.notices.tell(aNotice({ id: String(id) }));
      one.notices.tell(aNotice({ id: "short", expiresAt: startOfTime + 1000 }));
      setAway(true);
      clock.advance(1000);
      await one.round();
      one.notices.tell(aNotice({ id: "last" }));
      setAway(false);
      await exchange();
      expect([heardByTwo.length, heardByTwo[0], heardByTwo.at(-1)]).toEqual([
        maxPending,
        `${orgOne}|1||v`,
        `${orgOne}|last||v`,
      ]);
    });
  });
}
