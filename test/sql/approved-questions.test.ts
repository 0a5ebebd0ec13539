// @module-tag slow
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { migrating } from "./migrating.ts";

it.each(migrating)("questions that were approved before are known by their hashes in %s", async (_engine, open) => {
  const { applyUpTo, run, read } = await open();
  await applyUpTo(10);
  const question = "umsatz für größe 東京 it's";
  await run(`INSERT INTO approved_questions VALUES
    ('one', '${question.replace("'", "''")}', '{"a": 1}', '2026-01-01T00:00:00.000Z'), ('two', 'x', '{}', '2026-01-02T00:00:00.000Z')`);
  await applyUpTo(11);
  const hash = createHash("sha256").update(question).digest("hex");
  expect(await read("SELECT question_sha256, doc, approved_at FROM approved_questions WHERE org_id = 'one'")).toEqual([
    [hash, '{"a": 1}', "2026-01-01T00:00:00.000Z"],
  ]);
  expect(await read("SELECT count(*) FROM approved_questions")).toEqual([["2"]]);
  await applyUpTo(13);
  const told =
    "SELECT question_sha256, doc, approved_at, question, approved_by FROM approved_questions WHERE org_id = 'one'";
  expect(await read(told)).toEqual([[hash, '{"a": 1}', "2026-01-01T00:00:00.000Z", "null", "null"]]);
  const again = `INSERT INTO approved_questions (org_id, question_sha256, doc, approved_at) VALUES ('one', '${hash}', '{}', '2026')`;
  await expect(Promise.resolve().then(() => run(again))).rejects.toThrow(/duplicate key/i);
});
