import {
  alwaysReadOnly,
  amount,
  choice,
  count,
  dialledNumber,
  externalId,
  flag,
  freeFormList,
  integer,
  name,
  pausedReadOnly,
  reference,
  references,
  shaped,
  sipEndpoint,
  type Table,
  text,
  textByName,
  timezone,
} from "./kinds.ts";

const condition = { field: "state", operator: "equals", values: ["NY", "NJ"] };

/** `filters` of targets and formulas. */
export const filters = shaped(
  [
    { enabled: true, groups: [{ conditions: [condition] }] },
    { enabled: false, groups: [] },
    { groups: [{ conditions: [{ field: "zip", operator: "exists" }] }, { conditions: [] }] },
    { enabled: true, combinator: "or", groups: [{ combinator: "and", conditions: [condition, condition] }] },
    {},
  ],
  [
    { value: { enabled: "yes" }, at: ["enabled"] },
    { value: { groups: {} }, at: ["groups"] },
    { value: { groups: [{}] }, at: ["groups", 0, "conditions"], type: "missing" },
    { value: { groups: [{ conditions: [{ ...condition, operator: "like" }] }] }, at: conditionAt("operator") },
    { value: { groups: [{ conditions: [{ ...condition, values: "NY" }] }] }, at: conditionAt("values") },
    { value: { groups: [{ conditions: [{ ...condition, values: [5] }] }] }, at: [...conditionAt("values"), 0] },
    {
      value: { groups: [{ conditions: [{ ...condition, operator: "regex", values: ["^N", "("] }] }] },
      at: [...conditionAt("values"), 1],
    },
    { value: { groups: [{ conditions: [{ operator: "equals" }] }] }, at: conditionAt("field"), type: "missing" },
  ],
);
function conditionAt(field: string) {
  return ["groups", 0, "conditions", 0, field];
}

const weekday = { day: "Monday", isOpen: true, timeRanges: [{ start: "09:00", end: "17:00" }] };
const timesOf = (range: object) => ({ days: [{ ...weekday, timeRanges: [range] }] });

/** `hours_of_operation` of targets and formulas. */
export const hours = shaped(
  [
    { always_open: false, days: [weekday, { day: "sat", isOpen: false }, { day: 0, hours: "09:00-12:00" }] },
    { always_open: true },
    { days: [] },
    timesOf({ start: "22:00", end: "02:00" }),
    timesOf({ start: "00:00", end: "24:00" }),
    timesOf({ start: "00:00", end: "23:59" }),
  ],
  [
    { value: { always_open: "yes" }, at: ["always_open"] },
    { value: { days: {} }, at: ["days"] },
    { value: { days: [{ isOpen: true }] }, at: ["days", 0, "day"], type: "missing" },
    { value: { days: [{ ...weekday, isOpen: 1 }] }, at: ["days", 0, "isOpen"] },
    { value: { days: [{ ...weekday, day: 7 }] }, at: ["days", 0, "day"] },
    { value: { days: [{ ...weekday, day: "someday" }] }, at: ["days", 0, "day"] },
    { value: timesOf({ start: "9:00", end: "17:00" }), at: ["days", 0, "timeRanges", 0, "start"] },
    { value: timesOf({ start: "09:00", end: "24:01" }), at: ["days", 0, "timeRanges", 0, "end"] },
    { value: timesOf({ start: "09:60", end: "17:00" }), at: ["days", 0, "timeRanges", 0, "start"] },
    { value: timesOf({ start: "09:00" }), at: ["days", 0, "timeRanges", 0, "end"], type: "missing" },
  ],
);

/** The duplicate rules of targets and formulas. */
export const duplicateFields = {
  conversion_scope: integer({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 3 }),
  duplicate_conversion_action: choice(["route_no_pay", "route_no_revenue", "route_no_revenue_no_pay", "decline"], {
    default: "decline",
  }),
  consider_duplicate: flag(false),
  consider_duplicate_on: text(),
  consider_duplicate_length: count(),
  consider_duplicate_interval: integer({ min: 1, max: 3650, default: 30 }),
};

export const target: Table = {
  title: "Target",
  path: "targets",
  least: (ids) => ({ name: "Sunny Roofs", buyer_id: ids.buyer, type: "number" }),
  fields: {
    name,
    buyer_id: reference((ids) => ids.buyer, { required: true, derives: ["buyer_name"] }),
    type: choice(["phone", "sip", "sip_target", "sip-target", "number"], { required: true }),
    number: dialledNumber,
    sip_endpoint: sipEndpoint,
    sip_username: text(),
    sip_password: text(),
    sip_headers: textByName(),
    connection_timeout: count(),
    timezone: timezone({ default: "America/New_York" }),
    is_active: flag(true),
    max_concurrency: count(),
    revenue: amount(),
    payout: amount(),
    payout_condition: choice(["call_length_connected", "call_successfully_connected"], {
      default: "call_successfully_connected",
    }),
    payout_condition_duration: count(),
    ...duplicateFields,
    disable_recordings: flag(false),
    access_to_call_recordings: flag(true),
    filters,
    hours_of_operation: hours,
    external_id: externalId,
    advanced_caps: freeFormList(),
    outgoing_webhooks: references((ids) => ids.outgoing_webhook),
  },
  readOnly: { ...alwaysReadOnly, ...pausedReadOnly, buyer_name: "Another" },
};
