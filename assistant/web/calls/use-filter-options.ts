import { useEffect, useState } from "preact/hooks";
import * as z from "zod/mini";
import { nowMs } from "../clock.ts";
import { useSession } from "../session-context.ts";
import { valuesSchema } from "../wire.ts";
import { type CallSearch, spanOfCalls } from "./call-search.ts";
import { reasonWords, sentenceCase } from "./reasons.ts";

export type Option = { readonly value: string; readonly label: string };

const groups = ["campaign", "publisher", "buyer", "target"] as const;
export type Group = (typeof groups)[number];
export type FilterOptions = Readonly<Record<Group | "reason", readonly Option[]>>;

const summarySchema = z.object({
  data: z.array(z.object({ group: z.record(z.string(), z.nullable(z.string())), incoming: z.number() })),
});

/** The values that each filter offers for the calls of the search's span, the most calls first; read once they are wanted. */
export const useFilterOptions = ({ hours, from, to }: CallSearch, isWanted: boolean): FilterOptions => {
  const { client, zone } = useSession();
  const [options, setOptions] = useState<Readonly<Record<string, readonly Option[]>>>({});
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const put = (name: string, found: readonly Option[]): void => {
      if (isCurrent) setOptions((now) => ({ ...now, [name]: found }));
    };
    const span = spanOfCalls({ hours, from, to }, { nowMs: nowMs(), zone });
    // A filter whose values cannot be read offers none; the list itself says what is wrong.
    const nothing = () => undefined;
    for (const group of groups) {
      const asked = new URLSearchParams({ ...span, group_by: group });
      client.get(`/v1/reports/summary?${asked}`, summarySchema).then(
        ({ data }) =>
          put(
            group,
            data
              .toSorted((one, other) => other.incoming - one.incoming)
              .flatMap((row) => {
                const value = row.group[`${group}_id`];
                return value == null ? [] : [{ value, label: row.group[`${group}_name`] ?? value }];
              }),
          ),
        nothing,
      );
    }
    client.get("/reporting_ai/values?dimension=failure_reason", valuesSchema).then(
      ({ data }) =>
        put(
          "reason",
          data.map((value) => ({ value, label: sentenceCase(reasonWords(value)) })),
        ),
      nothing,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, zone, hours, from, to, isWanted]);
  const of = (name: string, any: string) => [{ value: "", label: any }, ...(options[name] ?? [])];
  return {
    campaign: of("campaign", "Any campaign"),
    publisher: of("publisher", "Any publisher"),
    buyer: of("buyer", "Any buyer"),
    target: of("target", "Any target"),
    reason: of("reason", "Any reason"),
  };
};
