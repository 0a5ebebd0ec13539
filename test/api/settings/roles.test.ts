import { describe, expect, it } from "vitest";
import { readSettings } from "../../../api/settings/settings.ts";

const brokers = { REDPANDA_BROKERS: "127.0.0.1:9092" };
const database = { DATABASE_URL: "postgresql://127.0.0.1/trunkline" };

describe("the roles of a process", () => {
  it("are all of them, unless told otherwise", () => {
    expect(readSettings({}).ROLES).toEqual(["api", "lifecycle", "deliver", "load"]);
  });

  it("are read by commas, each once", () => {
    expect(readSettings({ ...brokers, ROLES: "lifecycle, lifecycle" }).ROLES).toEqual(["lifecycle"]);
    expect(readSettings({ ROLES: "load,deliver,lifecycle,api" }).ROLES).toHaveLength(4);
  });

  it.each(["serve", "api,", "api load", ","])("are none of others: %j", (text) => {
    expect(() => readSettings({ ...brokers, ...database, ROLES: text })).toThrow(/^Settings: ROLES/);
  });

  it.each([
    ["lifecycle", {}, "Set REDPANDA_BROKERS, or leave ROLES out"],
    ["lifecycle", database, "Set REDPANDA_BROKERS, or leave ROLES out"],
    ["deliver", brokers, "Set DATABASE_URL, or give api and deliver to the same process"],
    ["api,load", brokers, "Set DATABASE_URL, or give api and deliver to the same process"],
    ["load", { ...brokers, ...database }, "or give api and load to the same process"],
    ["api,deliver", { ...brokers, ...database }, "or give api and load to the same process"],
  ])("cannot be %s alone with %j: its stores belong to one process", (text, stores, message) => {
    expect(() => readSettings({ ...stores, ROLES: text })).toThrow(message);
  });

  it.each([
    ["lifecycle", brokers],
    ["api,deliver,load", brokers],
    ["deliver", { ...brokers, ...database }],
    ["api,load", { ...brokers, ...database }],
    ["lifecycle,deliver", { ...brokers, ...database }],
  ])("may be %s with %j", (text, stores) => {
    expect(readSettings({ ...stores, ROLES: text }).ROLES).toEqual(text.split(","));
  });
});
