import { z } from "zod";

/** A boolean setting. */
export const flag = z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"], case: "sensitive" });

/** A whole number within bounds. */
export const count = (min: number, max: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number).pipe(z.number().int().min(min).max(max));
