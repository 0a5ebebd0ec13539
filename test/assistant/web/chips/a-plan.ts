import { type EditablePlan, toEditablePlan } from "../../../../assistant/web/chips/edit-plan.ts";
import type { Catalog } from "../../../../assistant/web/wire.ts";

export const catalog: Catalog = {
  subjects: [
    {
      name: "calls",
      label: "calls",
      measures: [
        { name: "revenue", label: "revenue", unit: "money" },
        { name: "connected_calls", label: "answered calls", unit: "count" },
      ],
      dimensions: [{ name: "campaign", label: "campaign", values: [] }],
      flags: [{ name: "converted", label: "converted" }],
      quantities: [{ name: "duration", label: "duration", unit: "seconds" }],
      listing: [],
      has_tags: true,
    },
  ],
  grains: [
    { name: "day", label: "day" },
    { name: "month", label: "month" },
  ],
};
export const period = { from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z", label: "last month" };
export const aPlan = (change: object = {}): EditablePlan => {
  const plan = toEditablePlan({
    subject: "calls",
    measures: ["revenue"],
    dimensions: ["campaign"],
    grain: null,
    columns: [],
    period,
    filters: [{ field: "state", op: "is", values: ["TX"] }],
    having: [],
    order: { by: "revenue", direction: "desc" },
    limit: 5,
    compare: null,
    share: false,
    zone: "UTC",
    ...change,
  });
  if (plan === null) throw new Error("no plan");
  return plan;
};

export const wordless = { filters: [], grouping: [] };
