import { expect, it, onTestFinished } from "vitest";
import { namesNear } from "../../../assistant/llm/catalog-text.ts";
import type { ModelError } from "../../../assistant/llm/model.ts";
import type { Seeking } from "../../../assistant/llm/similar.ts";
import { openSimilarByEmbeddings } from "../../../assistant/llm/similar-openai.ts";
import { openOpenAiServer, type Supports } from "./openai-server.ts";

/** Texts by what they are about: money, time, or neither. */
const embeds = (text: string) => [/revenue|earn|income/i.test(text) ? 1 : 0, /wait|ring|slow/i.test(text) ? 1 : 0, 0.1];

async function open(supports: Supports) {
  const server = await openOpenAiServer([], supports);
  onTestFinished(() => server.close());
  const troubles: ModelError[] = [];
  const time = { now: 0 };
  const clock = { now: () => time.now, sleep: () => Promise.resolve() };
  const onTrouble = (error: ModelError) => void troubles.push(error);
  const options = { apiKey: "sk", baseUrl: server.url, model: "meanings" };
  const similar = openSimilarByEmbeddings(options, { clock, onTrouble });
  const best = (question: string, texts: readonly string[], asking: Partial<Seeking> = {}) =>
    similar(question, texts, (text) => text, { orgId: "one", count: 2, ...asking });
  return { server, troubles, time, similar, best };
}

const texts = ["revenue by campaign", "who waits longest", "what do we earn"];

it("finds texts of the same meaning, best first, and asks for each text once", async () => {
  const { server, best } = await open({ embeds });
  expect(await best("our income", texts)).toEqual(["revenue by campaign", "what do we earn"]);
  expect(await best("slow answers", texts)).toEqual(["who waits longest"]);
  expect(server.embedded).toEqual([["our income", ...texts], ["slow answers"]]);
});

it("finds texts of the same letters where the server fails, leaves it alone for a while, and says so once", async () => {
  const { server, troubles, time, best } = await open({});
  for (const _ of [1, 2]) expect(await best("revenue by campaigns", texts)).toEqual(["revenue by campaign"]);
  expect(server.embedded).toHaveLength(1);
  expect(troubles.map(({ code, message }) => [code, message.includes("revenue")])).toEqual([["unavailable", false]]);
  time.now += 31_000;
  await best("revenue by campaigns", texts);
  expect(server.embedded).toHaveLength(2);
});

it("leaves the server alone for the organization alone whose texts it refuses", async () => {
  const { server, troubles, best } = await open({ embeds, refusesToEmbed: /forbidden/ });
  for (const _ of [1, 2]) expect(await best("forbidden revenue by campaign", texts)).toEqual(["revenue by campaign"]);
  expect(server.embedded).toHaveLength(1);
  expect(troubles.map(({ code }) => code)).toEqual(["refused_request"]);
  expect(await best("our income", texts, { orgId: "two" })).toEqual(["revenue by campaign", "what do we earn"]);
});

it("waits no longer than anybody does for the answer, which is no failure", async () => {
  const { server, troubles, best } = await open({ embeds });
  const asker = new AbortController();
  const found = best("revenue by campaigns", texts, { signal: asker.signal });
  asker.abort();
  expect(await found).toEqual(["revenue by campaign"]);
  expect(troubles).toEqual([]);
  expect(await best("our income", texts)).toEqual(["revenue by campaign", "what do we earn"]);
  expect(server.embedded.length).toBeGreaterThan(0);
});

it("finds definitions of the catalog that are like a question", async () => {
  const { similar } = await open({ embeds: (text) => [/abandon|gave up/i.test(text) ? 1 : 0, 0.1] });
  expect([...(await namesNear("people who gave up", similar, { orgId: "one" }))].join()).toContain("abandon");
  expect((await namesNear("people who gave up", undefined, { orgId: "one" })).size).toBe(0);
});
