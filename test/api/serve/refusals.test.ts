import express from "express";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerErrors } from "../../../api/serve/error-answers.ts";
import { type Location, parseInput, ValidationError } from "../../../api/serve/errors.ts";
import { carrierOperations, operations, titleOf } from "../operation-table.ts";
import { openServer } from "./server.ts";

const wrong = [null, 5, -1, 0.5, true, "", "x", "x".repeat(5000), {}, { a: {} }, [], [5], [{}], [[]]];

/** Names of what a schema takes, inside its first union member or refinement, too. */
const namesOf = (schema: z.ZodType, example: unknown): string[] => [
  ...new Set([
    ...(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []),
    ...(typeof example === "object" && example !== null ? Object.keys(example) : []),
  ]),
];

/** Sentences that an input of each wrong kind is refused with, as a whole and at each of its names. */
function refusalsOf(schema: z.ZodType, where: Location, example: unknown): string[] {
  const base = typeof example === "object" && example !== null ? example : {};
  const named = namesOf(schema, example).flatMap((name) => wrong.map((value) => ({ ...base, [name]: value })));
  return [...wrong, ...named].flatMap((input) => {
    try {
      parseInput(schema, input, where);
      return [];
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return error.issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
    }
  });
}

/** As the schema library speaks of itself. */
const raw =
  /invalid (input|option|key|string|discriminator|value)|expected|received|too (small|big)|nonoptional|unrecognized|NaN|\[object/i;

describe("a request that is refused is told in sentences, not in the schema library's own words", () => {
  it.each([...operations, ...carrierOperations].map((operation) => [titleOf(operation), operation] as const))(
    "%s",
    (_title, { params, query, body, example }) => {
      const refusals = [
        ...(params ? refusalsOf(params, "path", {}) : []),
        ...(query ? refusalsOf(query, "query", {}) : []),
        ...(body ? refusalsOf(body, "body", example) : []),
      ];
      expect(refusals.filter((sentence) => raw.test(sentence) || sentence.length > 500)).toEqual([]);
    },
  );

  it("which can be seen: what that library says is found", () => {
    const { error } = z.object({ a: z.string() }).safeParse({});
    expect(error?.issues[0]?.message).toMatch(raw);
  });
});

describe("a body that is read by the server's own reader", () => {
  it.each([
    ["5", "The body must be a JSON object, not a value alone."],
    ["null", "The body must be a JSON object, not a value alone."],
    ["{", /^The body is not valid JSON: /],
  ])("%s is refused for what it is", async (text, sentence) => {
    const app = express().use(express.json()).use(answerErrors);
    const url = await openServer(app);
    const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: text });
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ["body"], msg: expect.stringMatching(sentence), type: "json_invalid" }],
    });
  });
});
