import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time, whatever their lengths. */
export const areEqualSecrets = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
