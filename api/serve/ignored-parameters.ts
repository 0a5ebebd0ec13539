import type { z } from "zod";
import { nearestName } from "./nearest-name.ts";

/** A parameter that was sent and means nothing here, and the one that it may have been meant for. */
export interface IgnoredParameter {
  readonly name: string;
  readonly did_you_mean: string | null;
}

/** Names that an answer tells of, and characters of each. */
const [mostTold, longestTold] = [10, 64];

/**
 * The parameters of a query that its operation does not know: they change nothing, so whoever misspelt a filter reads a
 * whole list as a narrowed one. `tag.<key>` stands for any name of that beginning.
 */
export function ignoredParameters(
  schema: z.ZodObject | undefined,
  query: Readonly<Record<string, unknown>>,
): IgnoredParameter[] {
  const known = Object.keys(schema?.shape ?? {});
  const prefixes = known.filter((name) => name.endsWith("<key>")).map((name) => name.slice(0, -"<key>".length));
  return Object.keys(query)
    .filter((name) => !known.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix)))
    .slice(0, mostTold)
    .map((name) => name.slice(0, longestTold).toWellFormed())
    .map((name) => ({ name, did_you_mean: nearestName(name, known) }));
}

/** As a header says them: a list of strings of RFC 9651, what is no plain letter percent-encoded. */
export const toIgnoredHeader = (ignored: readonly IgnoredParameter[]): string =>
  ignored
    .map(({ name, did_you_mean: meant }) =>
      meant === null ? quote(name) : `${quote(name)};did-you-mean=${quote(meant)}`,
    )
    .join(", ");

const quote = (name: string): string => `"${encodeURIComponent(name)}"`;

/** A list with the ignored parameters in its `meta`; any other answer as it is. */
export function withIgnored(answer: unknown, ignored: readonly IgnoredParameter[]): unknown {
  if (ignored.length === 0 || typeof answer !== "object" || answer === null || !("meta" in answer)) return answer;
  const { meta } = answer;
  if (typeof meta !== "object" || meta === null) return answer;
  return { ...answer, meta: { ...meta, ignored_parameters: ignored } };
}
