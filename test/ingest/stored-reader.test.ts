import { expect, it } from "vitest";
import { z } from "zod";
import { callEventNames, callEventSchema, readCallEvent } from "../../ingest/event.ts";
import { timestamp } from "../../ingest/primitives.ts";
import { createStoredReader } from "../../ingest/stored-reader.ts";
import { anAdjusted, anEvent, anIncoming, signalsOfCall } from "../make.ts";

const place = { table: "call-events", id: "0:0" };
const signals = [...signalsOfCall(61, { tags: { utm_source: "ads" } }), anAdjusted({ payout: 1, reason: "late" })];

it.each(callEventNames.filter((name) => !/mark|failure/.test(name)))("a %s is read as its schema reads it", (name) => {
  const text = JSON.stringify(anEvent(name, signals));
  expect(readCallEvent(text, place)).toEqual(callEventSchema.parse(JSON.parse(text)));
});

it("a document that lacks a field, as an earlier version wrote it, has the field's default", () => {
  const { lag_ms, tcpa_result, ...older } = anEvent("call.incoming", [anIncoming()]);
  expect(readCallEvent(JSON.stringify(older), place)).toMatchObject({ lag_ms: 0, tcpa_result: null });
});

it.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["nothing", "null"],
  ["a number as text", JSON.stringify({ ...anEvent("call.incoming", [anIncoming()]), version: "1" })],
  ["an unknown word", JSON.stringify({ ...anEvent("call.incoming", [anIncoming()]), event: "call.sold" })],
  ["a tag that is no text", JSON.stringify({ ...anEvent("call.incoming", [anIncoming()]), tags: { a: 1 } })],
])("%s is unreadable", (_, text) => {
  expect(() => readCallEvent(text, place)).toThrow("call-events 0:0 cannot be read");
});

it("what only the schema can judge is left to it", () => {
  const read = createStoredReader(z.object({ at: timestamp, of: z.union([z.string(), z.number()]) }));
  expect(read('{"at":"2026-01-31T13:00:00+01:00","of":1}', place)).toEqual({ at: "2026-01-31T12:00:00.000Z", of: 1 });
});
