import { expect, it } from "vitest";
import { z } from "zod";
import { parseInput, ValidationError } from "../../../api/serve/errors.ts";
import { ignoredFields } from "../../../api/serve/ignored-input.ts";
import { withCpuTime } from "../../cpu-time.ts";

const schema = z
  .object({
    name: z.string(),
    plan: z.unknown(),
    ids: z.array(z.string()).max(1000),
    steps: z.array(z.object({ url: z.string() })).max(100),
  })
  .partial();

const ones = `[${"1,".repeat(500_000)}1]`;
const within = (levels: number, inner: string) => `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`;

/** Each about a megabyte, the longest that is read. */
const bodies: Readonly<Record<string, string>> = {
  "a list": ones,
  "a list in a field": `{"ids": ${ones}}`,
  "a list of anything": `{"plan": ${ones}}`,
  "lists within lists": `{"plan": ${within(50, ones)}}`,
  "empty objects": `{"steps": [${"{},".repeat(340_000)}{}]}`,
};

it.each(Object.entries(bodies))(
  "%s of half a million values is judged about as quickly as it is read",
  async (_, text) => {
    const rounds: number[] = [];
    for (let round = 0; round < 3; round++) {
      const read = await withCpuTime(() => JSON.parse(text));
      const judged = await withCpuTime(() => judge(read.result));
      rounds.push(judged.cpuMs / Math.max(10, read.cpuMs));
    }
    expect(Math.min(...rounds)).toBeLessThan(6);
  },
);

function judge(body: unknown): void {
  try {
    parseInput(schema, body, "body");
    ignoredFields(body, { taken: schema });
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
  }
}
