import type { z } from "zod";
import { type Ignored, longestTold, mostTold } from "./ignored.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * The parameters of a query that its operation does not know: they change nothing, so whoever misspelt a filter reads a
 * whole list as a narrowed one. `tag.<key>` stands for any name of that beginning.
 */
export function ignoredParameters(
  schema: z.ZodObject | undefined,
  query: Readonly<Record<string, unknown>>,
): Ignored[] {
  const known = Object.keys(schema?.shape ?? {});
  const prefixes = known.filter((name) => name.endsWith("<key>")).map((name) => name.slice(0, -"<key>".length));
  return Object.keys(query)
    .filter((name) => !known.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix)))
    .slice(0, mostTold)
    .map((name) => name.slice(0, longestTold).toWellFormed())
    .map((name) => ({ name, did_you_mean: nearestName(name, known) }));
}

/** A list with the ignored parameters in its `meta`; any other answer as it is. */
export function withIgnored(answer: unknown, ignored: readonly Ignored[]): unknown {
  if (ignored.length === 0 || typeof answer !== "object" || answer === null || !("meta" in answer)) return answer;
  const { meta } = answer;
  if (typeof meta !== "object" || meta === null) return answer;
  return { ...answer, meta: { ...meta, ignored_parameters: ignored } };
}
