import { beforeAll, describe, expect, it } from "vitest";
import { describeCatalog } from "../../../assistant/catalog/describe.ts";
import { usePlatform } from "../use-platform.ts";
import { bearer, connect, type ToolAnswer } from "./mcp-client.ts";

const { rig, join } = usePlatform({ settings: { ASSISTANT_RATE_LIMIT_PER_MIN: "10000" } });
const kinds = ["measures", "dimensions", "flags", "quantities"] as const;
const catalog = describeCatalog();
/** Characters that each answer has at most: some 3,500 tokens. */
const most = 14_000;

let token = "";
beforeAll(async () => {
  token = (await join()).token;
});
const open = () => connect(rig().url, bearer(token));
type Use = Awaited<ReturnType<typeof open>>["use"];

const namesIn = ({ answer }: ToolAnswer, kind: (typeof kinds)[number]): string[] =>
  answer[kind].map(({ name }: { name: string }) => name);

/** Reads a part to its end, and holds each answer against the bound. */
async function readAll(use: Use, wanted: Record<string, unknown>): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const part: ToolAnswer = await use("catalog_search", { ...wanted, offset });
    expect(JSON.stringify(part.answer).length).toBeLessThan(most);
    expect(part.said.length).toBeLessThan(most);
    expect(part.answer.left_out).toEqual([]);
    answers.push(part);
    offset = part.answer.next_offset;
    expect(part.answer.truncated).toBe(offset !== null);
  }
  return answers;
}

describe("the catalog for models", () => {
  it("begins with all names by subject, within the bound", async () => {
    const { use } = await open();
    const { answer, said } = await use("catalog");
    expect(Math.max(JSON.stringify(answer).length, said.length)).toBeLessThan(most);
    expect([answer.truncated, answer.left_out]).toEqual([false, []]);
    expect(answer.grains).toEqual(catalog.grains);
    for (const [index, subject] of catalog.subjects.entries()) {
      for (const kind of kinds) {
        expect(answer.subjects[index][kind]).toEqual(subject[kind].map(({ name }) => name));
      }
    }
  });

  it("has every entry of every subject in parts within the bound, each once and whole", async () => {
    const { use } = await open();
    for (const subject of catalog.subjects) {
      for (const kind of kinds) {
        const parts = await readAll(use, { subject: subject.name, kind });
        const entries = parts.flatMap(({ answer }) => answer[kind]);
        const all: readonly object[] = subject[kind];
        expect(entries).toEqual(all.map((entry) => ({ subject: subject.name, ...entry })));
      }
    }
    const whole = await readAll(use, {});
    const total = catalog.subjects.reduce(
      (sum, subject) => sum + kinds.reduce((of, kind) => of + subject[kind].length, 0),
      0,
    );
    expect(whole.flatMap((part) => kinds.flatMap((kind) => namesIn(part, kind)))).toHaveLength(total);
    expect(whole.map(({ answer }) => answer.total)).toEqual(whole.map(() => total));
  });

  it("tells of names alone, of one subject or of all", async () => {
    const { use } = await open();
    const found = await use("catalog_search", { names: ["revenue", "bid_rate"] });
    expect(namesIn(found, "measures")).toEqual(["revenue", "bid_rate"]);
    const one = await use("catalog_search", { names: ["revenue", "bid_rate"], subject: "outbound_rtb_requests" });
    expect(one.answer.measures).toMatchObject([{ name: "bid_rate", subject: "outbound_rtb_requests" }]);
  });

  it("finds entries by all words of a search, also by those of their values", async () => {
    const { use } = await open();
    expect(namesIn(await use("catalog_search", { search: "Bid RATE", kind: "measures" }), "measures")).toContain(
      "bid_rate",
    );
    expect(namesIn(await use("catalog_search", { search: "no answer" }), "dimensions").length).toBeGreaterThan(0);
    const nothing = await use("catalog_search", { search: "tomatoes" });
    expect([nothing.answer.total, nothing.isError]).toEqual([0, false]);
    expect(nothing.said).toMatch(/Nothing in the catalog matches/);
  });
});
