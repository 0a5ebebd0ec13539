import {
  alwaysReadOnly,
  amount,
  choice,
  count,
  externalId,
  flag,
  freeFormList,
  fresh,
  label,
  name,
  pausedReadOnly,
  reference,
  type Table,
  text,
  timezone,
} from "./kinds.ts";

const party = {
  name,
  email: text(),
  company: text(),
  phone: text(),
  timezone: timezone(),
  is_active: flag(true),
  max_concurrency: count(),
  advanced_caps: freeFormList(),
  external_id: externalId,
};

export const buyer: Table = {
  title: "Buyer",
  path: "buyers",
  least: () => ({ name: "Sunny Group" }),
  fields: party,
  readOnly: { ...alwaysReadOnly, ...pausedReadOnly },
};

export const publisher: Table = {
  title: "Publisher",
  path: "publishers",
  least: () => ({ name: "Blue Lake Media" }),
  fields: { ...party, payout: amount(), payout_percentage: amount({ max: 100 }) },
  readOnly: { ...alwaysReadOnly, ...pausedReadOnly },
};

export const customTag: Table = {
  title: "Custom tag",
  path: "custom-tags",
  least: () => ({ key: fresh("tag_") }),
  fields: {
    key: {
      required: true,
      accepted: () => [fresh("a"), `z${"_".repeat(63)}`, "q"],
      refused: ["", "Lead", "lead-type", "1st", "_a", "ä", `z${"_".repeat(64)}`, "a b", 5].map((value) => ({ value })),
    },
    name: label,
    data_type: choice(["number", "boolean", "string"], { default: "string" }),
    description: text({ max: 2000 }),
    is_active: flag(true),
  },
  readOnly: alwaysReadOnly,
};

export const blockedCaller: Table = {
  title: "Blocked caller",
  path: "blocked-callers",
  least: () => ({ number: fresh("+1212") }),
  fields: {
    number: {
      required: true,
      accepted: () => [fresh("+1646"), "+442071838750", "+49301234567"],
      folded: [
        ["(917) 555-0123", "+19175550123"],
        ["19175550124", "+19175550124"],
        [" +1 917 555 0125 ", "+19175550125"],
      ],
      refused: ["", "anonymous", "+1", "911", "+08005550100", "1".repeat(65), 18005550100].map((value) => ({ value })),
    },
    reason: text({ max: 2000 }),
    external_id: externalId,
  },
  readOnly: alwaysReadOnly,
};

export const number: Table = {
  title: "Number",
  path: "numbers",
  least: () => ({ number: fresh("+1800") }),
  fields: {
    number: {
      required: true,
      accepted: () => [fresh("+1877"), "+442071838750", "+49301234567"],
      refused: ["", "8005550100", "+08005550100", "+1 800 555 0100", "+1", "+1234567890123456", 18005550100].map(
        (value) => ({ value }),
      ),
    },
    provider: text(),
    provider_sid: text(),
    country: text({ min: 2, max: 2 }),
    area_code: text({ max: 8 }),
    state: text({ max: 64 }),
    toll_free: flag(false),
    publisher_id: reference((ids) => ids.publisher),
    external_id: externalId,
  },
  readOnly: { ...alwaysReadOnly, campaign_id: "another", number_pool_id: "another", status: "pooled", is_held: false },
};

export const numberPool: Table = {
  title: "Number pool",
  path: "number-pools",
  least: () => ({ name: "Solar pool" }),
  fields: {
    name,
    campaign_id: reference((ids) => ids.campaign),
    publisher_id: reference((ids) => ids.publisher),
    type: choice(["dni", "inbound_rtb"], { default: "inbound_rtb" }),
    hold_seconds: count({ default: 0 }),
    max_size: count(),
    is_active: flag(true),
    external_id: externalId,
  },
  readOnly: { ...alwaysReadOnly, numbers_count: 99 },
};
