// @module-tag slow
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { eventTypes } from "../../api/config/event-types.ts";
import { toOpenApi } from "../../api/serve/openapi.ts";
import { carrierOperations, operations } from "./operation-table.ts";

/** What Redocly's strict rules find wrong with a document, as `rule: message (place)`. */
async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
  return found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location.map((each) => each.pointer).join()})`,
  );
}

const document = toOpenApi([...operations, ...carrierOperations], eventTypes);

it("the OpenAPI document passes Redocly's strict rules", async () => {
  expect(await problemsOf(document)).toEqual([]);
});

it("a document with a fault does not", async () => {
  const problems = await problemsOf({ ...document, servers: [], security: undefined });
  expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(/^no-empty-servers/)]));
});
