import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { read } from "../client.ts";
import { type Problem, toProblem } from "../problem.ts";
import { type DeliveryRecord, listPath, recordsSchema } from "./records.ts";
import { type Search, toParameters } from "./search.ts";

export type Found =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | {
      readonly kind: "found";
      readonly records: readonly DeliveryRecord[];
      readonly total: number;
      readonly cursor: string | null;
    };

/** The records that a search finds, page by page; the latest search wins. */
export const useRecords = (token: string, search: Search) => {
  const [found, setFound] = useState<Found>({ kind: "loading" });
  const latest = useRef(0);
  const { direction, text, status, kind, hours, from, to } = search;

  const load = useCallback(
    async (before: Extract<Found, { kind: "found" }> | null): Promise<void> => {
      latest.current += 1;
      const mine = latest.current;
      if (before === null) setFound({ kind: "loading" });
      const sought = { direction, text, status, kind, hours, from, to, open: "" };
      const parameters = toParameters(sought, { nowMs: Date.now(), cursor: before?.cursor ?? null });
      const page = await read(token, `${listPath(direction)}?${parameters}`, recordsSchema).then(
        ({ data, meta }): Found => ({
          kind: "found",
          records: [...(before?.records ?? []), ...data],
          ...{ total: meta.total, cursor: meta.next_cursor ?? null },
        }),
        (error): Found => ({ kind: "failed", problem: toProblem(error) }),
      );
      if (mine === latest.current) setFound(page);
    },
    [token, direction, text, status, kind, hours, from, to],
  );

  useEffect(() => {
    void load(null);
  }, [load]);

  return { found, reload: () => void load(null), more: () => found.kind === "found" && void load(found) };
};
