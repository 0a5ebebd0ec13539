import { zone } from "./example-data.ts";

/** All that a plan has to say, as JSON: how many calls there are, changed by what a test cares about. */
export const aPlan = (change: object = {}) => ({
  subject: "calls",
  measures: ["calls"],
  dimensions: [],
  grain: null,
  filters: [],
  having: [],
  period: null,
  zone,
  compare: null,
  order: null,
  limit: null,
  columns: [],
  ...change,
});
