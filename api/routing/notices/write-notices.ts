import { type Database, DatabaseError } from "../../database/database.ts";
import { insertNotices } from "./notice-rows-postgres.ts";
import type { Notice } from "./notices.ts";

/** One that is refused among a thousand takes ten at most: six are found for certain. */
const mostHalvings = 64;

export interface NoticeWriter {
  readonly database: Database;
  readonly process: string;
  /** Told of notices that were given up. */
  onRefused(error: unknown): void;
}

/**
 * Writes one statement's notices. What the database refuses now it will never take: they are halved until what is refused
 * stands alone, so that it costs none of the others. Where nearly all are, it ends after that many halvings.
 */
export async function writeNotices(writer: NoticeWriter, notices: readonly Notice[]): Promise<void> {
  const parts = [notices];
  let halvings = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    try {
      await insertNotices(writer.database, writer.process, part);
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (part.length === 1 || halvings === mostHalvings) {
        writer.onRefused(error);
        continue;
      }
      halvings += 1;
      const half = Math.ceil(part.length / 2);
      parts.push(part.slice(half), part.slice(0, half));
    }
  }
}

const isRefused = (error: unknown): boolean => error instanceof DatabaseError && error.code === "invalid";
