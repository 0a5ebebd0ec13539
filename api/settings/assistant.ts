import { z } from "zod";
import { replyWays } from "../../assistant/llm/model.ts";
import type { Prices } from "../../assistant/planning.ts";
import { count, flag } from "./value-types.ts";

/** US dollars. */
const price = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,6})?$/, "must be a number of dollars, such as 0.4")
  .transform(Number)
  .optional();

/** Settings of the reporting assistant and its language model. */
export const assistantFields = {
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe(
      "Reporting assistant: key of a server of OpenAI's kind, whose language model then understands questions; it is sent each question and the catalog. Without it, built-in rules do, and nothing leaves this machine.",
    ),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Reporting assistant: address of that server, such as http://127.0.0.1:8000/v1; needs OPENAI_API_KEY. Default: OpenAI's own.",
    ),
  OPENAI_MODEL: z
    .string()
    .min(1)
    .default("gpt-4.1-mini")
    .describe("Reporting assistant: the model that is asked there."),
  OPENAI_REPLY_FORMAT: z
    .enum(["auto", ...replyWays])
    .default("auto")
    .describe(
      "Reporting assistant: how the model is made to fill a form: by a tool that must be called (tools), by a JSON Schema (json_schema), or by words alone (json). auto probes the server for the surest with the first question.",
    ),
  OPENAI_TEMPERATURE: z
    .string()
    .regex(/^[01](\.\d+)?$|^2(\.0+)?$/, "must be a number from 0 to 2")
    .transform(Number)
    .prefault("0")
    .describe("Reporting assistant: the model's temperature; left out of requests where its server refuses one."),
  OPENAI_MAX_TOKENS: count(100, 100_000)
    .default(2000)
    .describe("Reporting assistant: the most tokens of one reply of the model; one that reasons needs more."),
  OPENAI_EMBEDDING_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Reporting assistant: model of embeddings of the same server, such as text-embedding-3-small, by which approved answers and definitions like a question are found; it is sent both, and what it takes is in no usage and no cost. Without it, approved answers are found by spelling.",
    ),
  OPENAI_PRICE_INPUT: price.describe(
    "Reporting assistant: US dollars for a million tokens that the model is sent; needs OPENAI_PRICE_OUTPUT. With both, metrics and GET /reporting_ai/usage tell the cost.",
  ),
  OPENAI_PRICE_OUTPUT: price.describe(
    "Reporting assistant: US dollars for a million tokens that it writes; needs OPENAI_PRICE_INPUT.",
  ),
  ASSISTANT_DEADLINE_SECONDS: count(1, 120)
    .default(10)
    .describe(
      "Reporting assistant: how long the model has for a question, with its corrections and the SQL that it tries; then rules answer.",
    ),
  ASSISTANT_SEND_VALUES: flag
    .default(true)
    .describe(
      "Reporting assistant: whether the language model is sent the names of an organization's campaigns, publishers, buyers and the like that share a word with the question. Rows are sent for ASSISTANT_SUMMARY alone.",
    ),
  ASSISTANT_SUMMARY: flag
    .default(false)
    .describe(
      "Reporting assistant: whether the language model is sent the rows of answers with five or more, to sum them up in a sentence or two. Off where ASSISTANT_SEND_VALUES is.",
    ),
};

export const assistantDependencies = [
  {
    name: "OPENAI_BASE_URL",
    needs: "OPENAI_API_KEY",
    as: "the key that the server there takes; any text where it takes none",
  },
  { name: "OPENAI_PRICE_INPUT", needs: "OPENAI_PRICE_OUTPUT", as: "the price of the tokens that it writes" },
  { name: "OPENAI_PRICE_OUTPUT", needs: "OPENAI_PRICE_INPUT", as: "the price of the tokens that it is sent" },
] as const;

type AssistantSettings = z.infer<z.ZodObject<typeof assistantFields>>;

/** The prices of the language model; null where they are not set. */
export const modelPrices = ({
  OPENAI_PRICE_INPUT: input,
  OPENAI_PRICE_OUTPUT: output,
}: Pick<AssistantSettings, "OPENAI_PRICE_INPUT" | "OPENAI_PRICE_OUTPUT">): Prices | null =>
  input === undefined || output === undefined ? null : { input, output };
