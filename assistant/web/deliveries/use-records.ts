import { useCallback } from "preact/hooks";
import { read } from "../client.ts";
import { type ReadPage, useListed } from "../use-listed.ts";
import { type DeliveryRecord, listPath, recordsSchema } from "./records.ts";
import { type Search, toParameters } from "./search.ts";

/** The records that a search finds, page by page. */
export const useRecords = (token: string, search: Search) => {
  const { direction, text, status, kind, hours, from, to } = search;
  const readPage: ReadPage<DeliveryRecord> = useCallback(
    async (after) => {
      const sought = { direction, text, status, kind, hours, from, to, open: "" };
      const parameters = toParameters(sought, { nowMs: Date.now(), cursor: after?.cursor ?? null });
      const { data, meta } = await read(token, `${listPath(direction)}?${parameters}`, recordsSchema);
      return { rows: data, total: meta.total, cursor: meta.next_cursor ?? null };
    },
    [token, direction, text, status, kind, hours, from, to],
  );
  return useListed(readPage, "now");
};
