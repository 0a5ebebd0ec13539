import type { Company } from "../../company.ts";

/** A value that is refused, and where and as what, counted from the field. */
export interface Refused {
  readonly value: unknown;
  readonly at?: readonly (string | number)[];
  readonly type?: string;
}

/** One row of the specification's field tables. */
export interface Field {
  /** By its own type, or by a rule of its row that asks for it: null is then as missing as nothing at all. */
  readonly required?: true | "by a rule";
  /** What the field is when nobody has set it; `undefined` where it is then not in the answer. */
  readonly default?: unknown;
  /** True where null is a value like others. */
  readonly takesNull?: true;
  /** Values that are taken and given back as they are; at least two of a field that must be unique. */
  accepted(ids: Company): readonly unknown[];
  readonly refused: readonly Refused[];
  /** Values that are taken and given back in another form: sent, then answered. */
  readonly folded?: readonly (readonly [unknown, unknown])[];
  /** Fields that the answer derives from this one. */
  readonly derives?: readonly string[];
  /** What must be sent beside it. */
  with?(ids: Company): object;
}

/** A table of the specification: the fields of a resource, or of a row inside one. */
export interface Table {
  readonly title: string;
  readonly path: string;
  /** The least body that creates the resource; called anew for each, so that unique values can be. */
  least(ids: Company): Record<string, unknown>;
  /** Where the table's fields are in the resource; not given for the resource itself. */
  readonly at?: readonly [field: string] | readonly [field: string, row: 0];
  /** The least row, where the table is one of rows. */
  leastRow?(ids: Company): Record<string, unknown>;
  readonly fields: Readonly<Record<string, Field>>;
  /** Fields that writes ignore, each with something that a client might send. */
  readonly readOnly: Readonly<Record<string, unknown>>;
}

type More = Partial<Omit<Field, "accepted" | "refused">>;

const noText = [5, true, ["a"], { a: 1 }].map((value) => ({ value }));
const noNumber = ["5", true, [1], {}].map((value) => ({ value }));
const noObject = [5, "a", true, []].map((value) => ({ value }));
const noList = [5, "a", true, {}].map((value) => ({ value }));

export const ofLength = (length: number): string => "x".repeat(length);

export function text({ min = 0, max = 255, ...more }: More & { min?: number; max?: number } = {}): Field {
  return {
    ...more,
    accepted: () => [ofLength(min), ofLength(max), "Ünïcode ☎ 'quotes\" \\ %_"].filter((each) => each.length <= max),
    refused: [
      ...noText,
      { value: ofLength(max + 1), type: "string_too_long" },
      ...(min > 0 ? [{ value: ofLength(min - 1), type: "string_too_short" }] : []),
      ...["a\0", "\ud83da"].filter((each) => each.length <= max).map((value) => ({ value, type: "string_unicode" })),
    ],
  };
}

export const externalId = text({ min: 1, max: 64 });
const aName = text({ min: 1, max: 255, folded: [[" \t Solar East\n", "Solar East"]] });
/** Where a name is not required. */
export const label: Field = {
  ...aName,
  refused: [...aName.refused, ...[" ", " \t\n\u00a0"].map((value) => ({ value, type: "string_too_short" }))],
};
export const name: Field = { ...label, required: true };

export function integer({ min, max, ...more }: More & { min: number; max: number }): Field {
  return {
    ...more,
    accepted: () => [min, max, min + 1],
    refused: [
      ...noNumber,
      { value: min + 0.5, type: "int_type" },
      { value: min - 1, type: "greater_than_equal" },
      { value: max + 1, type: "less_than_equal" },
    ],
  };
}

/** A count, which nothing in the specification bounds. */
export const count = (more: More = {}): Field => integer({ min: 0, max: 1_000_000_000, ...more });

export function amount({ max = 1_000_000_000, ...more }: More & { max?: number } = {}): Field {
  return {
    ...more,
    accepted: () => [0, 12.5, max],
    refused: [
      ...noNumber,
      { value: -0.01, type: "greater_than_equal" },
      { value: max + 0.01, type: "less_than_equal" },
    ],
  };
}

export const flag = (byDefault: boolean): Field => ({
  default: byDefault,
  accepted: () => [!byDefault, byDefault],
  refused: ["true", 1, 0, [], {}].map((value) => ({ value, type: "bool_type" })),
});

export const choice = (values: readonly string[], more: More = {}): Field => ({
  ...more,
  accepted: () => values,
  refused: [{ value: "no_such_choice", type: "enum" }, { value: "" }, ...noText],
});

const notDialled = ["nonsense", "555", "+1", "alert(1)", "http://a.example", 5, {}].map((value) => ({ value }));

/** A phone number that calls are sent to; empty is none. */
export const dialledNumber: Field = {
  accepted: () => ["+18885550101", "(888) 555-0101", "8885550101", "+49 30 1234567", ""],
  refused: [...notDialled, { value: "sip:agent@pbx.example" }],
};

const sipAddresses = ["sip:agent@pbx.example", "sips:pbx.example:5061;transport=tls", "SIP:a:b@[::1]?X-A=1"];

export const sipEndpoint: Field = {
  accepted: () => [...sipAddresses, "agent@pbx.example", ""],
  refused: [...notDialled, ...["sip:", "sip:a b@pbx.example", "agent@", "+18885550101"].map((value) => ({ value }))],
};

/** Where a bid sends its call. */
export const bidDestination: Field = {
  default: "",
  accepted: () => [...sipAddresses, "+18885550101", "888-555-0101", ""],
  refused: [...notDialled, { value: "agent@pbx.example" }],
};

/** The id of another document of the organization. */
export const reference = (to: (ids: Company) => string, more: More = {}): Field => ({
  ...more,
  accepted: (ids) => [to(ids)],
  refused: [...noText, { value: "", type: "string_too_short" }, { value: "nobody", type: "reference_not_found" }],
});

export const references = (to: (ids: Company) => string, more: More = {}): Field => ({
  default: [],
  ...more,
  accepted: (ids) => [[to(ids)], []],
  refused: [
    ...noList,
    { value: [5], at: [0] },
    { value: [null], at: [0], type: "none_forbidden" },
    { value: ["nobody"], at: [0], type: "reference_not_found" },
  ],
});

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const freeObject = { any_key: [1, "two", null, { three: { four: true } }], "": 0, "with space": "ä" };

export const freeForm = (more: More = {}): Field => ({
  ...more,
  accepted: () => [freeObject, {}],
  refused: [...noObject, { value: { a: nested(33) }, at: ["a"] }],
});

export const freeFormList = (more: More = {}): Field => ({
  default: [],
  ...more,
  accepted: () => [[freeObject, { type: "calls", limit: 5 }], [{}], []],
  refused: [...noList, { value: ["a"], at: [0] }, { value: [{}, 5], at: [1] }],
});

/** Text by text, as templates and headers are. */
export const textByName = (more: More = {}): Field => ({
  ...more,
  accepted: () => [{ "X-A": "[CALL_ID]", b: "" }, {}],
  refused: [...noObject, { value: { a: 5 }, at: ["a"] }, { value: { a: null }, at: ["a"], type: "none_forbidden" }],
});

export const timezone = (more: More = {}): Field => ({
  ...more,
  accepted: () => ["America/New_York", "Europe/Berlin", "UTC"],
  refused: [...noText, ...["", "Mars/Olympus", "+02:00", "America"].map((value) => ({ value }))],
});

/** Any value at all. */
export const anything = (more: More = {}): Field => ({
  ...more,
  accepted: () => [freeObject, [1, [2]], "text", 5, false],
  refused: [{ value: nested(33) }],
});

/** An object of a shape of its own, with the values that the specification's table has for it. */
export const shaped = (accepted: readonly unknown[], refused: readonly Refused[], more: More = {}): Field => ({
  ...more,
  accepted: () => accepted,
  refused: [...noObject, ...refused],
});

/** A list of rows; the fields of a row are a table of their own. */
export const rows = (accepted: (ids: Company) => readonly unknown[], more: More = {}): Field => ({
  default: [],
  ...more,
  accepted,
  refused: [...noList, { value: ["a"], at: [0] }, { value: [5], at: [0] }],
});

/** Id of a row inside a resource. */
export const rowId: Field = text({ min: 1, max: 36 });

export const pausedReadOnly = {
  is_paused: true,
  paused_at: "2026-01-01T00:00:00.000Z",
  paused_until: "2999-01-01T00:00:00.000Z",
  paused_by: "somebody",
};
export const alwaysReadOnly = {
  id: "another",
  org_id: "another",
  created_at: "1999-01-01T00:00:00.000Z",
  updated_at: "1999-01-01T00:00:00Z",
};

/** Unique text: a phone number, a key, an id. */
let counted = 0;
/** What is no address that we send requests to. */
export const noHttpUrls = [
  "",
  "crm.example",
  "//crm.example",
  "http:/crm.example",
  "http://",
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  "gopher://127.0.0.1:6379/_INFO",
  "ftp://a.example",
  "javascript:alert(1)",
  " https://a.example",
  5,
  {},
];

export const fresh = (prefix: string, digits = 7): string => `${prefix}${String(++counted).padStart(digits, "0")}`;
