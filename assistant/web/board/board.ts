import * as z from "zod/mini";
import { savedQuestionSchema } from "../wire.ts";

/** Whose board it is: the user's own, or the one that all of the organization see. */
export type Whose = "own" | "organization";

export const boardSchema = z.object({ questions: z.array(savedQuestionSchema), may_change: z.boolean() });
export type Board = z.infer<typeof boardSchema>;

export const boardsPath = "/reporting_ai/boards";
/** The answer of `GET /reporting_ai/boards`. */
export const boardsSchema = z.object({ own: boardSchema, organization: boardSchema });

/** Questions of one board; the server takes no more. */
export const mostPinned = 24;

/** The list with the item at a place moved by so many places. */
export function withMoved<T>(list: readonly T[], place: number, by: number): T[] {
  const rest = list.toSpliced(place, 1);
  return rest.toSpliced(place + by, 0, ...list.slice(place, place + 1));
}
