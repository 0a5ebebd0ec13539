import { z } from "zod";
import type { OrgConfig } from "../config/org-config.ts";
import type { Resource } from "../config/registry.ts";
import { nameOf, sortedByName, withNameLike } from "../config/sorted-by-name.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import type { RoutingStateDeps } from "./closed-now.ts";

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

/** Lists what campaigns are made of beside those who take calls: routing plans, RTB groups, numbers and number pools. */
export const routingPartsOperation = ({ snapshot }: Pick<RoutingStateDeps, "snapshot">): Operation =>
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
      return toPage(
        shown.map((each) => toRow(kind, each, usersOf(each.id))),
        found.length,
        page,
      );
    },
  });

type Named = {
  readonly id: string;
  readonly name: string;
  readonly toParts: (users: readonly User[]) => Omit<Row, "kind" | "id" | "name" | "used_by">;
};

const byNumber = (one: Resource<"number">, other: Resource<"number">): number =>
  one.number < other.number ? -1 : Number(one.number > other.number);

/** The parts of a kind by name, each with what is told of it where it is shown. */
function namedIn(config: OrgConfig, kind: PartKind): readonly Named[] {
  const plain = { state: null, size: null, max_size: null };
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
        toParts: () => ({
          ...plain,
          is_active: doc.is_active,
          size: doc.numbers_count,
          max_size: doc.max_size ?? null,
        }),
      }));
    case "number":
      return config
        .all(kind)
        .toSorted(byNumber)
        .map((doc) => ({
          id: doc.id,
          name: doc.number,
          toParts: (users) => ({ ...plain, is_active: doc.is_held, state: stateOf(doc, users) }),
        }));
  }
}

const stateOf = ({ number_pool_id }: Resource<"number">, users: readonly User[]): string => {
  if (number_pool_id !== null) return "pooled";
  return users.length > 0 ? "assigned" : "available";
};

function toRow(kind: PartKind, { id, name, toParts }: Named, users: readonly User[]): Row {
  return { kind, id, name, ...toParts(users), used_by: { count: users.length, data: users.slice(0, mostNamed) } };
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
