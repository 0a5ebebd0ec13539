import { z } from "zod";
import { answerTools } from "./answer-tools.ts";
import { callTools } from "./call-tools.ts";
import { catalogTools } from "./catalog-tools.ts";
import { limit, pageBounds, pageSchema, summarizePage, toPageAnswer } from "./lists.ts";
import { defineTool, type Tool } from "./tool.ts";
import { webhookTools } from "./webhook-tools.ts";

const savedQuestions = defineTool({
  name: "saved_questions",
  title: "List saved questions",
  description: "The organization's saved questions, newest first; saved_answer answers one.",
  operation: { user: "listSavedQuestions", api_key: "listSavedQuestionsByKey" },
  input: z.object({
    limit,
    offset: z.int().min(0).default(0).describe("meta.next_offset of an answer, to go on after it."),
  }),
  toSchema: (answer) => pageSchema(answer, "all", "next_offset"),
  toAnswer: toPageAnswer,
  summarize: summarizePage("saved questions"),
  boundsOf: () => pageBounds,
});

/** Every tool, those to begin with first. */
export const tools: readonly Tool[] = [...answerTools, savedQuestions, ...catalogTools, ...callTools, ...webhookTools];
