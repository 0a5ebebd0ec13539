import { escapeLiteral } from "pg";
import { z } from "zod";
import type { ConfigChange } from "./database.ts";

const channel = "trunkline_config";
/** Of messages that are not about config. */
export const broadcastChannel = "trunkline_broadcast";
/** PostgreSQL takes less than 8000 bytes of payload; the rest is for what stands around the changes. */
const maxPayloadBytes = 7800;
/** Where more changed than this holds (some 1,000 documents), reading all again is no dearer than each by itself. */
const maxPayloads = 16;

const announcementSchema = z.object({
  from: z.string(),
  changes: z.array(z.object({ orgId: z.string(), type: z.string(), id: z.string() })).nullable(),
});

/** Subscribes a connection to announcements and broadcasts. */
export const listenStatement = `LISTEN ${channel}; LISTEN ${broadcastChannel}`;

/** Sends announcements to all who listen. */
export const notifyStatement = (payloads: readonly string[]): string =>
  `SELECT ${payloads.map((payload) => `pg_notify('${channel}', ${escapeLiteral(payload)})`).join(", ")}`;

/** Sends broadcasts, an array of texts. */
export const broadcastStatement = `SELECT count(pg_notify('${broadcastChannel}', payload)) FROM unnest($1::text[]) AS payload`;

/** Null: anything may have changed. */
export const toPayload = (from: string, changes: readonly ConfigChange[] | null): string =>
  JSON.stringify({ from, changes });

/** As many payloads as the changes need; one that says "anything may have changed" where they are too many or too long. */
export function toPayloads(from: string, changes: readonly ConfigChange[]): string[] {
  const parts: ConfigChange[][] = [];
  let room = 0;
  for (const { orgId, type, id } of changes) {
    const change = { orgId, type, id };
    const bytes = Buffer.byteLength(JSON.stringify(change)) + 1;
    if (bytes > maxPayloadBytes) return [toPayload(from, null)];
    if (bytes > room) {
      parts.push([]);
      room = maxPayloadBytes;
    }
    parts.at(-1)?.push(change);
    room -= bytes;
  }
  return parts.length > maxPayloads ? [toPayload(from, null)] : parts.map((part) => toPayload(from, part));
}

/** Null for what no process of ours wrote. */
export function readPayload(payload: string | undefined): z.infer<typeof announcementSchema> | null {
  try {
    return announcementSchema.parse(JSON.parse(payload ?? ""));
  } catch {
    return null;
  }
}
