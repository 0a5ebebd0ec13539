import type { Call } from "../../../ingest/call.ts";
import { toZip5 } from "../../routing/caller-location.ts";
import { toStateCode } from "../../routing/states-and-provinces.ts";
import { type UpdateFieldsBody, type UpdateRevenueBody, writableFields } from "./bodies.ts";
import type { GivenTags } from "./given-tags.ts";
import type { Change } from "./plan.ts";

/** Replaces amounts; those that are not named stay as they are. */
export const changeOfRevenue = ({ revenue, payout, converted, reason }: UpdateRevenueBody): Change => ({
  input: {
    kind: "adjusted",
    revenue: revenue ?? null,
    payout: payout ?? null,
    converted: converted ?? null,
    reason: reason ?? null,
  },
  view: (call) => ({
    revenue: call?.revenue ?? null,
    payout: call?.payout ?? null,
    converted: call?.converted ?? false,
  }),
  ignored: null,
});

export function changeOfTags({ tags, remove, ignored }: GivenTags & { readonly remove: readonly string[] }): Change {
  const names = [...new Set([...remove, ...Object.keys(tags)])];
  return {
    input: { kind: "tagged", tags: { ...tags }, remove: [...remove] },
    view: (call) => Object.fromEntries(names.map((name) => [name, tagOf(call, name)])),
    ignored: ignored.length === 0 ? null : ignored,
  };
}

const columns = ["caller_zip", "caller_state"] as const;
const isColumn = (name: string): name is (typeof columns)[number] => columns.some((column) => column === name);

/** Fields that calls do not have become tags of the same name. */
export function changeOfFields({ fields }: UpdateFieldsBody): Change {
  const named = writableFields.filter((name) => fields[name] !== undefined);
  const tagged = named.filter((name) => !isColumn(name));
  const tags = tagged.flatMap((name) => {
    const value = fields[name] ?? null;
    return value === null ? [] : [[name, value] as const];
  });
  const { caller_zip, caller_state } = fields;
  return {
    input: {
      kind: "fields",
      ...(caller_zip === undefined ? {} : { caller_zip: orNothing(caller_zip, toZip5) }),
      ...(caller_state === undefined
        ? {}
        : { caller_state: orNothing(caller_state, (text) => toStateCode(text) ?? text) }),
      tags: Object.fromEntries(tags),
      remove: tagged.filter((name) => fields[name] === null),
    },
    view: (call) => Object.fromEntries(named.map((name) => [name, shown(call, name)])),
    ignored: Object.keys(fields).filter((name) => !writableFields.some((known) => known === name)),
  };
}

/** A name that every object has, such as `constructor`, is a tag only where the call has it itself. */
const tagOf = (call: Call | null, name: string): string | null =>
  call !== null && Object.hasOwn(call.tags, name) ? (call.tags[name] ?? null) : null;

/** An empty text is a missing place. */
const orNothing = (text: string | null, read: (text: string) => string): string | null =>
  text === null || text === "" ? null : read(text);

const shown = (call: Call | null, name: (typeof writableFields)[number]): string | null =>
  call === null ? null : isColumn(name) ? call[name] : tagOf(call, name);
