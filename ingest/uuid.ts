import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const idBytes = 16;
/** The system is asked for the random bytes of so many ids at once: by one, it would be most of what an id costs. */
const pool = new Uint8Array(256 * idBytes);
let used = pool.length;

/** Returns a UUID of version 7, which begins with a time in milliseconds since 1970; ids of one millisecond are in no order. */
export function uuidv7(msecs: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + idBytes);
  used += idBytes;
  return v7({ msecs, random });
}
