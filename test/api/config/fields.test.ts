import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { definitions } from "../../../api/config/registry.ts";
import type { ResourceDefinition } from "../../../api/config/resource.ts";
import { parseInput, ValidationError, type ValidationIssue } from "../../../api/serve/errors.ts";
import { type Company, foundCompany } from "../company.ts";
import { operations } from "../operation-table.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";
import * as campaigns from "./tables/campaign.ts";
import type { Field, Refused, Table } from "./tables/kinds.ts";
import * as parties from "./tables/parties.ts";
import * as routing from "./tables/routing.ts";
import * as rtb from "./tables/rtb.ts";
import { target } from "./tables/target.ts";
import * as voice from "./tables/voice.ts";
import * as webhooks from "./tables/webhooks.ts";

const tables: readonly Table[] = [
  campaigns.campaign,
  campaigns.tcpaConfig,
  campaigns.numberGroupItem,
  campaigns.ivrPayoutRule,
  target,
  webhooks.outgoingWebhook,
  webhooks.incomingWebhook,
  rtb.rtbFormula,
  rtb.rtbStep,
  rtb.rtbGroup,
  rtb.formulaLink,
  routing.routingPlan,
  routing.route,
  routing.inboundRtb,
  routing.predictiveRoutingPlan,
  voice.ivr,
  voice.menuChoice,
  voice.callFlow,
  ...voice.steps,
  parties.buyer,
  parties.publisher,
  parties.customTag,
  parties.blockedCaller,
  parties.number,
  parties.numberPool,
];

const { join } = usePlatform({ settings: { ANALYTICS: "false" } });
interface Owner {
  readonly member: Member;
  readonly ids: Company;
}
/** Whose resources are changed field by field, and whose are created whole: unique values of both may be the same. */
let changing: Owner;
let creating: Owner;
beforeAll(async () => {
  const found = async (): Promise<Owner> => {
    const member = await join();
    return { member, ids: await foundCompany(member) };
  };
  [changing, creating] = [await found(), await found()];
});

type Fields = Record<string, unknown>;

/** A table's fields in a request's body and in an answer, whether they are the resource's own or a row's. */
function placeOf({ at, least, leastRow, path }: Table) {
  const [field, row] = at ?? [];
  const wrap = (own: Fields): Fields => (field === undefined ? own : { [field]: row === undefined ? own : [own] });
  const readIn = (read: Fields): Fields => {
    const found = field === undefined ? read : read[field];
    return (row === undefined ? found : (found as Fields[])[row]) as Fields;
  };
  return {
    base: `/api/v1/${path}`,
    loc: ["body", ...(at ?? [])],
    /** The least body with these fields changed; `undefined` leaves one out. */
    body: (ids: Company, own: Fields = {}): Fields => ({
      ...least(ids),
      ...wrap({ ...(leastRow ?? least)(ids), ...own }),
    }),
    /** The body of a patch of what was read. */
    patchOf: (read: Fields, own: Fields): Fields => wrap(field === undefined ? own : { ...readIn(read), ...own }),
    readIn,
    /** What is beside the table's fields. */
    around: (read: Fields): Fields => (field === undefined ? {} : without(read, ["updated_at", field])),
  };
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

describe.each(tables.map((table) => [table.title, table] as const))("%s:", (_title, table) => {
  const { base, loc, body, patchOf, readIn, around } = placeOf(table);
  const fields = Object.entries(table.fields);
  let one: string;
  let fresh: Fields;
  beforeAll(async () => {
    fresh = await done(changing.member.post(base, body(changing.ids)));
    one = `${base}/${fresh.id}`;
  });
  const read = (): Promise<Fields> => done(changing.member.get(one));
  const change = (before: Fields, own: Fields): Promise<Fields> =>
    done(changing.member.patch(one, patchOf(before, own)));

  it("fields that nobody has set have their defaults, and read-only ones are the platform's", () => {
    // What must be given has no default, and ids are made up.
    const free = fields.filter(([name, field]) => !field.required && name !== "id" && name !== "inbound_rtb_id");
    const expected = Object.fromEntries(free.map(([name, field]) => [name, field.default]));
    expect(Object.fromEntries(free.map(([name]) => [name, readIn(fresh)[name]]))).toEqual(expected);
    const known = [...Object.keys(table.fields), ...Object.keys(table.readOnly), ...nestedNames];
    expect(Object.keys(readIn(fresh)).filter((name) => !known.includes(name))).toEqual([]);
  });

  it("is kept as it is created, and read as it is kept", async () => {
    const { member, ids } = creating;
    const values = fields.map(([name, field]) => [name, field, field.accepted(ids)] as const);
    const rounds = Math.max(...values.map(([, , accepted]) => accepted.length));
    for (let round = 0; round < rounds; round += 1) {
      const sent = Object.fromEntries(values.map(([name, , accepted]) => [name, accepted[round % accepted.length]]));
      const companions = Object.assign({}, ...values.map(([, field]) => field.with?.(ids)));
      const made = await done(member.post(base, body(ids, { ...sent, ...companions })));
      const [kept, expected] = [readIn(made), { ...sent, ...companions }];
      expect(kept).toMatchObject(JSON.parse(JSON.stringify(expected)));
      for (const [name] of fields) if (!(name in companions)) expect(kept[name], name).toEqual(expected[name]);
      expect(await done(member.get(`${base}/${made.id}`))).toEqual(made);
      await done(member.delete(`${base}/${made.id}`));
    }
  });

  it("each field changes by itself", async () => {
    let before = await read();
    for (const [name, field] of fields) {
      const [value] = field.accepted(changing.ids);
      for (const [sent, kept] of [[value, value], ...(field.folded ?? [])]) {
        const companions = field.with?.(changing.ids) ?? {};
        const after = await change(before, { ...companions, [name]: sent });
        expect(readIn(after)[name], name).toEqual(kept);
        const changed = ["updated_at", name, ...(field.derives ?? []), ...Object.keys(companions)];
        expect(without(readIn(after), changed), name).toEqual(without(readIn(before), changed));
        expect(around(after), name).toEqual(around(before));
        before = after;
      }
    }
    expect(await read()).toEqual(before);
  });

  const seen = new Set<"post" | "patch">();
  /**
   * What a request is refused for. What the operation's schema refuses, it refuses here; that the platform answers with
   * just that is seen once of each method. All else the platform is asked.
   */
  async function refusalOf(method: "post" | "patch", body: Fields): Promise<ValidationIssue[]> {
    const issues = faultsOf(schemaOf(method, base), body);
    if (issues.length > 0 && seen.has(method)) return issues;
    const { status, body: answer } = await changing.member[method](method === "post" ? base : one, body);
    expect(status, JSON.stringify([body, answer]).slice(0, 500)).toBe(422);
    if (issues.length > 0) {
      expect(answer.detail).toEqual(issues);
      seen.add(method);
    }
    return answer.detail;
  }

  it("each field refuses what does not fit, at its place, and nothing is changed by it", async () => {
    const { ids } = changing;
    const before = await read();
    for (const [name, field] of fields) {
      const missing = field.required ? [{ value: undefined, type: "missing" }] : [];
      const refusal = { value: null, type: field.required === true ? "none_forbidden" : "missing" };
      const none = field.required && !field.takesNull ? [refusal] : [];
      for (const refused of [...missing, ...none, ...field.refused]) {
        expectRefusal(await refusalOf("post", body(ids, { [name]: refused.value })), name, refused);
      }
      for (const refused of [...none, ...field.refused.slice(-2)]) {
        expectRefusal(await refusalOf("patch", patchOf(before, { [name]: refused.value })), name, refused);
      }
    }
    expect([...seen]).toEqual(["post", "patch"]);
    expect(await read()).toEqual(before);
  });

  it("null clears all that may be left out, by itself and with all others, and is not sent on create", async () => {
    const free = fields.filter(([name, field]) => !field.required && name !== "id" && name !== "inbound_rtb_id");
    const expectCleared = (given: Fields, [name, field]: (typeof free)[number]) => {
      const cleared = field.takesNull ? null : field.default;
      expect(given[name], name).toEqual(cleared);
      expect(name in given, name).toBe(cleared !== undefined);
    };
    const setAll = async () =>
      change(
        await read(),
        Object.assign(
          {},
          ...free.map(([name, field]) => ({
            ...field.with?.(changing.ids),
            [name]: field.accepted(changing.ids)[0],
          })),
        ),
      );
    // The last first: what a field needs beside it comes after it.
    let before = await setAll();
    for (const [name, field] of free.toReversed()) {
      if (free.some(([, other]) => other.with !== undefined && name in other.with(changing.ids))) continue;
      before = await change(before, { [name]: null });
      expectCleared(readIn(before), [name, field]);
    }
    const nulls = Object.fromEntries(free.map(([name]) => [name, null]));
    await change(await setAll(), nulls);
    const cleared = readIn(await read());
    const made = readIn(await done(changing.member.post(base, body(changing.ids, nulls))));
    for (const each of free) {
      expectCleared(cleared, each);
      expectCleared(made, each);
    }
  });

  if (Object.keys(table.readOnly).length > 0) {
    it("read-only fields are ignored in writes", async () => {
      const { member, ids } = creating;
      const made = await done(member.post(base, body(ids, table.readOnly)));
      for (const [name, value] of Object.entries(table.readOnly)) expect(readIn(made)[name], name).not.toEqual(value);
      const { id: _rowId, ...readOnly } =
        table.at === undefined ? table.readOnly : { ...table.readOnly, id: undefined };
      const patched = await done(member.patch(`${base}/${made.id}`, patchOf(made, readOnly)));
      expect(without(patched, ["updated_at"])).toEqual(without(made, ["updated_at"]));
    });
  }

  function expectRefusal([first]: readonly ValidationIssue[], name: string, refused: Refused): void {
    const what = `${name}: ${JSON.stringify(refused.value)?.slice(0, 80)}: ${JSON.stringify(first)?.slice(0, 300)}`;
    expect(first?.loc, what).toEqual([...loc, name, ...(refused.at ?? [])]);
    if (refused.type !== undefined) expect(first?.type, what).toBe(refused.type);
  }
});

/** The tables of resources, and of rows inside them. */
const ofResources = tables.filter(({ at }) => at === undefined);
const tableOf = (definition: ResourceDefinition): Table => {
  const found = ofResources.find(({ path }) => path === definition.path);
  if (found === undefined) throw new Error(`${definition.type} has no table`);
  return found;
};

it("every field that can be written has its row in a table", () => {
  for (const definition of definitions.values()) {
    expect(Object.keys(tableOf(definition).fields).toSorted(), definition.type).toEqual(
      Object.keys(definition.writable.shape).toSorted(),
    );
  }
});

/** A value of a field: of rows one with all of their fields. */
function fullValue({ path }: Table, name: string, field: Field): unknown {
  const rowTable = tables.find(({ at, ...table }) => table.path === path && at?.[0] === name);
  if (rowTable === undefined) return field.accepted(changing.ids)[0];
  const rowFields = Object.entries(rowTable.fields).map(([each, own]) => [each, own.accepted(changing.ids)[0]]);
  const row = Object.fromEntries(rowFields);
  return rowTable.at?.[1] === undefined ? row : [row];
}

it.each(
  [...definitions.values()].filter(({ references }) => references !== undefined).map((each) => [each.title.one, each]),
)("what a %s names can be deleted once null has cleared its name", async (_title, definition) => {
  const { member, ids } = changing;
  const table = tableOf(definition);
  const referrer = await done(member.post(`/api/v1/${table.path}`, { ...table.least(ids), is_active: false }));
  const one = `/api/v1/${table.path}/${referrer.id}`;
  for (const [name, field] of Object.entries(table.fields).filter(([, each]) => !each.required)) {
    const value = fullValue(table, name, field);
    const parsed = definition.writable.parse({ ...table.least(ids), [name]: value });
    for (const { type, id, loc } of definition.references?.(parsed) ?? []) {
      if (loc[0] !== name) continue;
      const named = tableOf(definitions.get(type) as ResourceDefinition);
      const parent = await done(member.post(`/api/v1/${named.path}`, named.least(ids)));
      await done(member.patch(one, { [name]: JSON.parse(JSON.stringify(value).replaceAll(id, parent.id)) }));
      const remove = () => member.delete(`/api/v1/${named.path}/${parent.id}`);
      expect((await remove()).status, `${loc}: ${type}`).toBe(409);
      await done(member.patch(one, { [name]: null }));
      expect((await remove()).status, `${loc}: ${type}`).toBe(200);
    }
  }
});

/** The schema of a body that creates or changes a resource. */
function schemaOf(method: "post" | "patch", base: string): z.ZodType {
  const paths = method === "post" ? [base] : operations.map(({ path }) => path).filter((path) => isOneOf(path, base));
  const found = operations.find((operation) => operation.method === method && paths.includes(operation.path))?.body;
  if (found === undefined) throw new Error(`nothing takes ${method} of ${base}`);
  return found;
}
const isOneOf = (path: string, base: string): boolean => /^\/\{\w+\}$/.test(path.replace(base, ""));

/** What a schema finds wrong with a body that was sent, as an answer says it. */
function faultsOf(schema: z.ZodType, body: Fields): ValidationIssue[] {
  try {
    parseInput(schema, JSON.parse(JSON.stringify(body)), "body");
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return JSON.parse(JSON.stringify(error.issues));
  }
}

/** Objects beside the ids that they belong to. */
const nestedNames = ["target", "rtb_formula", "rtb_group", "ivr"];
