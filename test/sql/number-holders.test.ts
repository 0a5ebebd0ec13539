// @module-tag slow
import { expect, it } from "vitest";
import { migrating } from "./migrating.ts";

const at = (hour: number) => `2026-01-01T0${hour}:00:00.000Z`;

/** A document as it was kept before: its values, and when it was made. */
const row = (type: string, id: string, org: string, hour: number, doc: object, key: string | null = null) =>
  `('${type}', '${id}', '${org}', 1, NULL, ${key === null ? "NULL" : `'${org}:${key}'`}, '${at(hour)}', '${JSON.stringify(doc)}', ${Date.parse(at(hour))})`;
const number = (id: string, org: string, hour: number, doc: object) =>
  row("number", id, org, hour, { id, number: "+18005550100", ...doc }, "+18005550100");

const documents = [
  number("late", "org_a", 5, { status: "assigned" }),
  number("held longest", "org_b", 6, { status: "available", held_since: at(1) }),
  number("given back", "org_c", 0, { status: "released", number_pool_id: null }),
  row("number", "alone", "org_a", 3, { id: "alone", number: "+18005550101", status: "pooled" }, "+18005550101"),
  row("campaign", "inactive", "org_a", 1, { is_active: false }),
  row("campaign", "second", "org_a", 3, { is_active: true }),
  row("campaign", "first", "org_a", 2, { is_active: true }),
  row("campaign", "other", "org_b", 2, { is_active: true }),
];
const references = [
  ...["inactive", "second", "first"].map((id) => `('org_a', 'campaign', '${id}', 'number', 'alone')`),
  "('org_b', 'campaign', 'other', 'number', 'held longest')",
];
const columns = "type, id, org_id, version, external_id, unique_key, created_at, doc, created_ms";

it.each(migrating)("numbers in several hands are the first one's after the upgrade, in %s", async (engine, open) => {
  const { applyUpTo, run, read } = await open();
  const before = engine === "duckdb" ? 13 : 14;
  await applyUpTo(before);
  await run(`INSERT INTO documents (${columns}) VALUES ${documents.join(", ")}`);
  await run(`INSERT INTO document_references VALUES ${references.join(", ")}`);
  await applyUpTo(before + 1);
  const numbers = await read(
    "SELECT id, unique_key, (doc->>'is_held') AS held, (doc->>'status') AS status, (doc->>'held_since') AS since FROM documents WHERE type = 'number' ORDER BY id",
  );
  expect(numbers).toEqual([
    ["alone", "+18005550101", "true", "null", "null"],
    ["given back", "org_c:+18005550100", "false", "null", "null"],
    ["held longest", "+18005550100", "true", "null", "null"],
    ["late", "org_a:+18005550100", "false", "null", "null"],
  ]);
  expect(await read("SELECT from_type, to_id, org_id, from_id FROM exclusive_references ORDER BY to_id")).toEqual([
    ["campaign", "alone", "org_a", "first"],
    ["campaign", "held longest", "org_b", "other"],
  ]);
});
