import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import type { RowKey } from "../../warehouse/history/beside.ts";

/** A place in a list, next to a row of it. It says nothing of whose list it is: every statement has its own fence. */
export interface Cursor {
  readonly kind: "after" | "before";
  readonly direction: "asc" | "desc";
  readonly key: RowKey;
}

const shape = z.tuple([z.enum(["after", "before"]), z.enum(["asc", "desc"]), timestamp, z.string().min(1)]);

export const toCursorText = ({ kind, direction, key }: Cursor): string =>
  Buffer.from(JSON.stringify([kind, direction, key.at.toISOString(), key.id])).toString("base64url");

/** null when it is no cursor of ours. */
export function parseCursor(text: string): Cursor | null {
  const parsed = shape.safeParse(readJson(Buffer.from(text, "base64url").toString()));
  if (!parsed.success) return null;
  const [kind, direction, at, id] = parsed.data;
  const cursor = { kind, direction, key: { at: new Date(at), id } };
  return toCursorText(cursor) === text ? cursor : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
