import { expect, onTestFinished } from "vitest";
import { createOrgConfig } from "../../../api/config/org-config.ts";
import { type ResourceInput, type ResourceType, toDocument } from "../../../api/config/registry.ts";
import type { Database } from "../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import type { Allocation, EntryDeps } from "../../../api/routing/call/entry.ts";
import { openHeldCalls } from "../../../api/routing/call-stats/held-calls.ts";
import type { CallStats } from "../../../api/routing/call-stats.ts";
import { createAsk } from "../../../api/routing/quotes/ask-destination.ts";
import { createPingControls } from "../../../api/routing/rtb/controls.ts";
import { createPing } from "../../../api/routing/rtb/ping.ts";
import type { PingSender } from "../../../api/routing/rtb/pinger.ts";
import { createCalls } from "../../../api/telephony/calls.ts";
import type { ArrivingCall } from "../../../api/telephony/instruction.ts";
import { createOpenCallStore } from "../../../api/telephony/open-calls.ts";
import type { OutboxMessage } from "../../../api/telephony/outbox.ts";
import { createUnansweredCalls, type UnansweredCall } from "../../../api/telephony/unanswered-calls.ts";
import { orgOne, secondsIn, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { someStats } from "../routing/make-route.ts";
import { aStep } from "../routing/rtb/formula.ts";

type Documents = { readonly [T in ResourceType]?: readonly Partial<ResourceInput<T>>[] };

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
const usual: Documents = {
  buyer: [{ id: "buy-1", name: "Sunny Group" }],
  publisher: [{ id: "pub-1", name: "Blue Lake Media" }],
  number: [{ id: "num-1", number: "+18005550100" }],
};

export interface SwitchboardGiven {
  /** Beside a buyer `buy-1`, a publisher `pub-1` and the number +18005550100. */
  readonly documents: Documents;
  /** What the buyer at a formula's address answers: a body, or when it answers nothing else. */
  readonly buyers?: Readonly<Record<string, object | (() => object | Promise<object>)>>;
  readonly stats?: Partial<CallStats>;
  readonly tcpa?: Awaited<ReturnType<EntryDeps["checkTcpa"]>>;
  readonly allocation?: Allocation;
  /** What was sent about whoever calls. */
  readonly callerData?: Readonly<Record<string, string>>;
  /** What happens before the log takes it. */
  readonly beforePublishing?: (published: readonly OutboxMessage[]) => Promise<void> | void;
  /** What happens once the log has it, before anybody hears of that. */
  readonly afterPublishing?: (published: readonly OutboxMessage[]) => Promise<void> | void;
  /** The database as the telephony has it. */
  readonly through?: (database: Database) => Database;
  /** OutboxMessage of what could not be done and is tried again; unless it is given, there must be none. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Telephony over a real database, with one organization's config; what it tells the log is gathered. */
export async function openSwitchboard({
  documents,
  buyers = {},
  stats = {},
  tcpa = "off",
  allocation,
  callerData = {},
  beforePublishing = () => undefined,
  afterPublishing = () => undefined,
  through = (database) => database,
  ...watched
}: SwitchboardGiven) {
  const clock = createManualClock(startOfTime);
  const database = await openSqliteDatabase({ path: ":memory:" });
  const editor = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  const put = (all: Documents) => {
    for (const [type, docs] of Object.entries(all)) {
      for (const doc of docs) {
        const whole = toDocument(type as ResourceType, { ...about, ...doc } as never);
        editor.put({ type, doc: whole } as never);
      }
    }
  };
  put(usual);
  put(documents);
  const asked: string[] = [];
  const sender: PingSender = {
    async send({ url }) {
      asked.push(url);
      const answer = buyers[url];
      const body = typeof answer === "function" ? await answer() : (answer ?? {});
      const headers = { "content-type": "application/json" };
      return { kind: "answered", status: 200, headers, body: JSON.stringify(body), cut: false } as never;
    },
  };
  const published: OutboxMessage[] = [];
  const troubles: unknown[] = [];
  const onTrouble = watched.onTrouble ?? ((error: unknown) => void troubles.push(error));
  const publish = async (all: readonly OutboxMessage[]) => {
    await beforePublishing(all);
    published.push(...all);
    await afterPublishing(all);
  };
  const held = await openHeldCalls({ database, clock, onTrouble });
  onTestFinished(async () => {
    await held.close();
    await database.close();
    expect(troubles).toEqual([]);
  });
  const given: UnansweredCall[] = [];
  const openParts = () => {
    const openCalls = createOpenCallStore({ database: through(database), clock, publish, onTrouble });
    const unanswered = createUnansweredCalls({
      openCalls,
      held,
      onTrouble,
      giveBack: async (_db, taking) => void given.push(taking),
    });
    return { openCalls, unanswered };
  };
  /** Each as another process has it; they share the database alone. */
  const openProcess = ({ openCalls, unanswered } = openParts()) => {
    const ping = createPing({ controls: createPingControls({ clock }), sender, clock });
    return createCalls({
      snapshot: { config: () => editor.config },
      openCalls,
      unanswered,
      held,
      clock,
      sender,
      random: () => 0.5,
      ask: createAsk({ ping, clock }).ask,
      note: () => undefined,
      statsOf: () => ({ ...someStats(stats), inUse: (holder) => held.inUse(orgOne, holder) }),
      checkTcpa: async () => tcpa,
      takeAllocation: async () => allocation ?? { kind: "none" },
      takeCallerData: async () => callerData,
      giveLateData: async () => null,
    });
  };
  const parts = openParts();
  const calls = openProcess(parts);
  return {
    ...parts,
    openParts,
    /** What was given back of what refused calls had taken. */
    given,
    clock,
    calls,
    openProcess,
    asked,
    published,
    put,
    held,
    remove: editor.remove,
    database,
    arrive: (given: Partial<ArrivingCall> = {}) => calls.arrive(orgOne, anArriving(given)),
    signals: () => published.flatMap(({ topic, value }) => (topic === "call-signals" ? [value] : [])),
    way: () =>
      published.flatMap(({ topic, value }) =>
        topic === "call-traces" ? [{ event: value.event, ...value.detail }] : [],
      ),
    requests: () => published.flatMap(({ topic, value }) => (topic === "rtb-requests" ? [value] : [])),
  };
}
export type Switchboard = Awaited<ReturnType<typeof openSwitchboard>>;

export const anArriving = (given: Partial<ArrivingCall> = {}): ArrivingCall => ({
  provider: "simulator",
  from: "+12125550123",
  to: "+18005550100",
  tags: {},
  ...given,
});

/** A campaign with the number, whose plan has these routes in their order. */
export const aPlanOf = (...routes: readonly object[]): Documents => ({
  campaign: [{ id: "cmp-1", name: "Solar East", routing_plan_id: "plan-1", payout: 20, ...withNumber }],
  routing_plan: [{ id: "plan-1", name: "East", routes: routes.map(inOrder) }],
});
export const withNumber = { number_group_items: [{ id: "row-1", number_id: "num-1", publisher_id: "pub-1" }] };
const inOrder = (route: object, index: number) => ({ id: `r${index}`, priority: index, ...route }) as never;

export const toTarget = (id: string) => ({ action: "route-to-target", target_id: id });
export const toFormula = (id: string) => ({ action: "route-to-rtb", rtb_formula_id: id });
export const toGroup = (id: string) => ({ action: "route-to-rtb-group", rtb_group_id: id });
export const toMenu = (id: string) => ({ action: "route-to-ivr", ivr_id: id });

export const aLine = (id: string, more: Partial<ResourceInput<"target">> = {}): Partial<ResourceInput<"target">> => ({
  id,
  name: `Target ${id}`,
  buyer_id: "buy-1",
  type: "number",
  number: "+18885550101",
  revenue: 30,
  ...more,
});

/** Asks the buyer at `https://{id}.example`. */
export const aBidder = (
  id: string,
  more: Partial<ResourceInput<"rtb_formula">> = {},
): Partial<ResourceInput<"rtb_formula">> => ({
  id,
  rtb_name: `Bids ${id}`,
  buyer_id: "buy-1",
  steps: [aStep({ url: addressOf(id) })],
  mapped_response: { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" },
  ...more,
});
export const addressOf = (id: string): string => `https://${id}.example/`;
export const aBid = (bid: number, phone = "+18885550111") => ({ bid, duration: 60, phone });
