import { createHash, timingSafeEqual } from "node:crypto";

/** Takes as long for a wrong text as for a right one, whatever their lengths. */
export const areEqualSecrets = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
