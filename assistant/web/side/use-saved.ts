import { useCallback } from "preact/hooks";
import { read, send } from "../client.ts";
import { toProblem } from "../problem.ts";
import { openedQuestionSchema, savedQuestionSchema, savedQuestionsSchema } from "../wire.ts";
import { useShelf } from "./use-shelf.ts";

const path = "/reporting_ai/saved";
const pathOf = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** The organization's saved questions: read while they are wanted, opened, renamed and deleted. */
export const useSaved = (token: string, wanted: string | null) => {
  const { put, ...shelf } = useShelf(token, { path, schema: savedQuestionsSchema, wanted });

  /** With the plan that answers it today; throws what `read` throws. */
  const open = useCallback((id: string) => read(token, pathOf(id), openedQuestionSchema), [token]);

  /** Why it could not be renamed; null where it was. */
  const rename = useCallback(
    async (id: string, name: string): Promise<string | null> => {
      try {
        put(await send(token, { method: "PATCH", path: pathOf(id), body: { name } }, savedQuestionSchema));
        return null;
      } catch (error) {
        const { title, advice } = toProblem(error);
        return `${title} ${advice}`;
      }
    },
    [token, put],
  );

  return { ...shelf, open, rename };
};
