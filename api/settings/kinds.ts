import { z } from "zod";

export const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");

export const count = (least: number, most: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number).pipe(z.number().int().min(least).max(most));
