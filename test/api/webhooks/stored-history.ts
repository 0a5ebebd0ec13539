import { expect, vi } from "vitest";
import type { IncomingRequest, OutgoingRequest } from "../../../ingest/delivery.ts";
import { anOutgoingRequest, secondsIn } from "../../make.ts";
import { done, type usePlatform } from "../use-platform.ts";

export const outgoing = "/api/v1/webhooks/outgoing-requests";
export const incoming = "/api/v1/webhooks/incoming-requests";

export type Page = { data: { id: string }[]; meta: Record<string, unknown> };

/** Lets new organizations with a history join a platform. */
export function joinerWithHistory({ rig, join }: Pick<ReturnType<typeof usePlatform>, "rig" | "join">) {
  return async (records: readonly (OutgoingRequest | IncomingRequest)[]) => {
    const member = await join();
    const own = records.map((record) => ({ ...record, org_id: member.id }));
    await rig().platform.log.publish(
      own.map((record) => ({ topic: "webhook-deliveries", key: record.id, value: JSON.stringify(record) })),
    );
    const list = (path: string, query = ""): Promise<Page> => done(member.get(path + query));
    await vi.waitFor(async () => {
      const both = await Promise.all([outgoing, incoming].map((path) => list(path, "?limit=200")));
      // Not every store has rows and their count at the same moment.
      const rows = both.flatMap(({ data }) => data).length;
      const total = both.reduce((sum, { meta }) => sum + Number(meta["total"]), 0);
      expect([rows, total]).toEqual([records.length, records.length]);
    }, 10_000);
    const ids = async (path: string, query = ""): Promise<string[]> =>
      (await list(path, query)).data.map(({ id }) => id);
    return { member, list, ids };
  };
}

/** So many records, a second apart. */
export const series = (count: number, given: Partial<OutgoingRequest> = {}) =>
  Array.from({ length: count }, (_, index) =>
    anOutgoingRequest({ id: `out-${index}`, created_at: secondsIn(index), updated_at: secondsIn(index), ...given }),
  );
