import { z } from "zod";
import { isoTime } from "../../ingest/clock.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Resource } from "../config/registry.ts";
import { nameOf, sortedByName, withNameLike } from "../config/sorted-by-name.ts";
import type { Queryable } from "../database/database.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import type { RoutingStateDeps } from "./closed-now.ts";
import { readReleases } from "./inbound/allocation-rows.ts";

const partKinds = ["routing_plan", "rtb_group", "number", "number_pool"] as const;
type PartKind = (typeof partKinds)[number];
const userKinds = ["campaign", "routing_plan", "number_pool"] as const;
type User = { readonly kind: (typeof userKinds)[number]; readonly id: string; readonly name: string };

const mostNamed = 10;

const row = z.object({
  kind: z.enum(partKinds).describe("What it is."),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name; of a number the number."),
  is_active: z
    .boolean()
    .describe(
      "Whether it is switched on, as RTB groups always are; of a number, whether the organization still holds it.",
    ),
  state: z.string().nullable().describe("Of a number: `available`, `assigned` or `pooled`; else null."),
  size: z.int().nullable().describe("Routes of a plan, formulas of a group, numbers of a pool; null for a number."),
  max_size: z.int().nullable().describe("The most numbers that a pool may have; else null."),
  in_use: z
    .object({
      count: z.int().describe("How many are in use."),
      data: z
        .array(
          z.object({
            number: z.string().describe("The number, in E.164."),
            until: timestamp.describe("When it is released, unless a call takes it before."),
          }),
        )
        .describe("Ten of them at the most, those that are released first first."),
    })
    .nullable()
    .describe("Numbers of the pool that were given to a ping and wait for its call; null for what is no pool."),
  resting: z
    .int()
    .nullable()
    .describe("Numbers of the pool that were released less than `hold_seconds` ago; null for what is no pool."),
  used_by: z
    .object({
      count: z.int().describe("How many use it."),
      data: z
        .array(
          z.object({
            kind: z.enum(userKinds).describe("What it is."),
            id: z.string().describe("Its id."),
            name: z.string().describe("Its name."),
          }),
        )
        .describe("Ten of them at the most."),
    })
    .describe("Campaigns, plans and pools that send calls by it."),
});
type Row = z.input<typeof row>;

const query = pageQuery.omit({ sort_direction: true }).extend({
  kind: z.enum(partKinds).describe("Which kind is listed."),
  search: z.string().max(255).default("").describe("A part of the name, in any case."),
});

interface RoutingPartsDeps extends Pick<RoutingStateDeps, "snapshot" | "clock"> {
  readonly database: Queryable;
}

/** Lists what campaigns are made of beside those who take calls: routing plans, RTB groups, numbers and number pools. */
export const routingPartsOperation = ({ snapshot, database, clock }: RoutingPartsDeps): Operation =>
  defineOperation({
    method: "get",
    path: "/api/v1/routing/parts",
    tag: "Routing",
    name: "listRoutingParts",
    summary: "List routing plans, RTB groups, numbers or number pools with their size and what uses them, by name",
    access: "api_key",
    limit: "api",
    status: 200,
    query,
    answer: pageOf(row),
    async handle({ caller, query: { kind, search, ...page } }) {
      const config = snapshot.config(caller.orgId);
      if (config === undefined) throw notFound("The organization");
      const found = withNameLike(namedIn(config, kind), search);
      const shown = found.slice(page.offset, page.offset + page.limit);
      const usersOf = shown.length === 0 ? () => [] : usersIn(config, kind);
      const releases = kind === "number_pool" && shown.length > 0 ? await readReleases(database, caller.orgId) : [];
      const now: NumbersNow = { releases, now: clock.now() };
      return toPage(
        shown.map((each) => toRow(kind, each, { users: usersOf(each.id), ...now })),
        found.length,
        page,
      );
    },
  });

interface NumbersNow {
  /** When each number of the pools was released, or will be. */
  readonly releases: Awaited<ReturnType<typeof readReleases>>;
  readonly now: number;
}
interface Context extends NumbersNow {
  readonly users: readonly User[];
}

type Named = {
  readonly id: string;
  readonly name: string;
  readonly toParts: (context: Context) => Omit<Row, "kind" | "id" | "name" | "used_by">;
};

const byNumber = (one: Resource<"number">, other: Resource<"number">): number =>
  one.number < other.number ? -1 : Number(one.number > other.number);

/** The parts of a kind by name, each with what is told of it where it is shown. */
function namedIn(config: OrgConfig, kind: PartKind): readonly Named[] {
  const plain = { state: null, size: null, max_size: null, in_use: null, resting: null };
  switch (kind) {
    case "routing_plan":
      return sortedByName(config, kind).map((doc) => ({
        id: doc.id,
        name: doc.name,
        toParts: () => ({ ...plain, is_active: doc.is_active, size: doc.routes.length }),
      }));
    case "rtb_group":
      return sortedByName(config, kind).map((doc) => ({
        id: doc.id,
        name: nameOf(doc),
        toParts: () => ({ ...plain, is_active: true, size: doc.rtb_formulas.length }),
      }));
    case "number_pool":
      return sortedByName(config, kind).map((doc) => ({
        id: doc.id,
        name: doc.name,
        toParts: (context) => ({
          ...plain,
          is_active: doc.is_active,
          size: doc.numbers_count,
          max_size: doc.max_size ?? null,
          ...usageOf(config, doc, context),
        }),
      }));
    case "number":
      return config
        .all(kind)
        .toSorted(byNumber)
        .map((doc) => ({
          id: doc.id,
          name: doc.number,
          toParts: ({ users }) => ({ ...plain, is_active: doc.is_held, state: stateOf(doc, users) }),
        }));
  }
}

const stateOf = ({ number_pool_id }: Resource<"number">, users: readonly User[]): string => {
  if (number_pool_id !== null) return "pooled";
  return users.length > 0 ? "assigned" : "available";
};

/** The pool's numbers that wait for a call, and those that rest after one. */
function usageOf(config: OrgConfig, { id, hold_seconds }: Resource<"number_pool">, { releases, now }: NumbersNow) {
  const { numbers } = config.poolMembers(id);
  const own = releases.filter(({ number }) => numbers.has(number));
  const held = own.filter(({ at }) => at > now).sort((one, other) => one.at - other.at);
  return {
    in_use: {
      count: held.length,
      data: held.slice(0, mostNamed).map(({ number, at }) => ({ number, until: isoTime(at) })),
    },
    resting: own.filter(({ at }) => at <= now && at > now - hold_seconds * 1000).length,
  };
}

function toRow(kind: PartKind, { id, name, toParts }: Named, context: Context): Row {
  const { users } = context;
  return { kind, id, name, ...toParts(context), used_by: { count: users.length, data: users.slice(0, mostNamed) } };
}

/** Returns what uses a part of a kind, by the part's id. */
function usersIn(config: OrgConfig, kind: PartKind): (id: string) => readonly User[] {
  const users = new Map<string, User[]>();
  const add = (id: string | null | undefined, user: User): void => {
    if (id == null) return;
    const known = users.get(id) ?? [];
    if (!known.some((each) => each.id === user.id)) users.set(id, [...known, user]);
  };
  for (const doc of sortedByName(config, "campaign")) {
    const user: User = { kind: "campaign", id: doc.id, name: doc.name };
    if (kind === "routing_plan") add(doc.routing_plan_id, user);
    if (kind === "number") for (const { number_id } of doc.number_group_items) add(number_id, user);
  }
  if (kind === "rtb_group") {
    for (const doc of sortedByName(config, "routing_plan"))
      for (const { rtb_group_id } of doc.routes)
        add(rtb_group_id, { kind: "routing_plan", id: doc.id, name: doc.name });
  }
  if (kind === "number_pool") {
    for (const { id, campaign_id } of config.all("number_pool")) {
      const campaign = config.get("campaign", campaign_id);
      if (campaign !== undefined) add(id, { kind: "campaign", id: campaign.id, name: campaign.name });
    }
  }
  if (kind === "number") {
    for (const { id, number_pool_id } of config.all("number")) {
      const pool = config.get("number_pool", number_pool_id ?? undefined);
      if (pool !== undefined) add(id, { kind: "number_pool", id: pool.id, name: pool.name });
    }
  }
  return (id) => users.get(id) ?? [];
}
