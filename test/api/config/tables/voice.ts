import {
  alwaysReadOnly,
  choice,
  externalId,
  type Field,
  flag,
  integer,
  label,
  name,
  ofLength,
  reference,
  rowId,
  rows,
  type Table,
  text,
} from "./kinds.ts";

const leastMenu = () => ({ name: "Solar or roofing", greeting: "For solar, press 1." });

/** Where a menu leads: by exactly one id. */
const destination = (more: Partial<Field> = {}): Field => ({
  ...more,
  accepted: (ids) => [
    { target_id: ids.target },
    { rtb_formula_id: ids.rtb_formula },
    { rtb_group_id: ids.rtb_group },
    { routing_plan_id: ids.routing_plan },
    { ivr_id: ids.ivr },
  ],
  refused: [
    ...[5, "hangup", true, [], {}, { number: "+18885550101" }, { target_id: "a", ivr_id: "b" }].map((value) => ({
      value,
    })),
    // Null is as if it were not sent.
    { value: { ivr_id: null }, type: "value_error" },
    { value: { ivr_id: "" }, at: ["ivr_id"], type: "string_too_short" },
    ...["target_id", "rtb_formula_id", "rtb_group_id", "routing_plan_id", "ivr_id"].map((field) => ({
      value: { [field]: "nobody" },
      at: [field],
      type: "reference_not_found",
    })),
  ],
});

export const ivr: Table = {
  title: "IVR",
  path: "ivrs",
  least: leastMenu,
  fields: {
    name,
    greeting: { ...text({ min: 1, max: 4096 }), required: true },
    menu: rows(() => [[]]),
    max_retries: integer({ min: 0, max: 10, default: 2 }),
    timeout_seconds: integer({ min: 1, max: 60, default: 5 }),
    invalid_input: destination(),
    no_input: destination(),
    choice_tag: {
      default: "ivr_choice",
      accepted: () => ["interest", "a", `b${"_9".repeat(31)}c`],
      refused: ["", "Interest", "9a", "a-b", "a b", ofLength(65), "caller_id", "payout_numeric", 5].map((value) => ({
        value,
      })),
    },
    is_active: flag(true),
    external_id: externalId,
  },
  readOnly: alwaysReadOnly,
};

export const menuChoice: Table = {
  title: "Choice of a menu",
  path: "ivrs",
  least: leastMenu,
  at: ["menu", 0],
  leastRow: (ids) => ({ digit: "1", destination: { target_id: ids.target } }),
  fields: {
    id: rowId,
    digit: choice([..."0123456789*#"], { required: true }),
    label,
    destination: destination({ required: true }),
  },
  readOnly: {},
};

const leastFlow = () => ({ name: "Greeting, then the menu", steps: [{ type: "hangup" }] });

export const callFlow: Table = {
  title: "Call flow",
  path: "call-flows",
  least: leastFlow,
  fields: {
    name,
    steps: {
      required: true,
      accepted: (ids) => [
        [
          { id: "a", type: "say", text: "Welcome." },
          { id: "b", type: "ivr", ivr_id: ids.ivr },
          { id: "c", type: "routing_plan", routing_plan_id: ids.routing_plan },
          { id: "d", type: "hangup" },
        ],
        Array.from({ length: 50 }, (_, index) => ({ id: String(index), type: "say", text: "Please wait." })),
      ],
      refused: [
        { value: [], type: "list_too_short" },
        { value: Array.from({ length: 51 }, () => ({ type: "hangup" })), type: "list_too_long" },
        { value: {} },
        { value: ["hangup"], at: [0] },
        { value: [{ type: "hangup" }, { text: "Welcome." }], at: [1, "type"], type: "missing" },
      ],
    },
    is_active: flag(true),
    external_id: externalId,
  },
  readOnly: alwaysReadOnly,
};

/** A step of one type, with the field that it needs. */
const step = (type: string, needed: string, field: Field): Table => ({
  title: `Step of a call flow: ${type}`,
  path: "call-flows",
  least: leastFlow,
  at: ["steps", 0],
  leastRow: (ids) => ({ type, [needed]: field.accepted(ids)[0] }),
  fields: {
    id: rowId,
    type: {
      required: true,
      accepted: () => [type],
      refused: ["dial", "", 5, {}].map((value) => ({ value, type: "enum" })),
    },
    [needed]: field,
  },
  readOnly: {},
});

export const steps: readonly Table[] = [
  step("say", "text", { ...text({ min: 1, max: 4096 }), required: "by a rule" }),
  step(
    "ivr",
    "ivr_id",
    reference((ids) => ids.ivr, { required: "by a rule" }),
  ),
  step(
    "routing_plan",
    "routing_plan_id",
    reference((ids) => ids.routing_plan, { required: "by a rule" }),
  ),
];
