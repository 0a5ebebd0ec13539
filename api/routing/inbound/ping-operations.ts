import { z } from "zod";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { pingAnswerSchema } from "./answer.ts";

const parameters = {
  caller_id: z
    .string()
    .optional()
    .meta({ description: "Who will call; of the United States where it names no country." }),
  zip_code: z.string().optional(),
  state: z.string().optional(),
};

const about = {
  path: "/inbound_rtb/{rtb_id}",
  tag: "RTB pings",
  access: "open",
  limit: "rtb",
  status: 200,
  apart: true,
  params: z.object({ rtb_id: z.string().meta({ description: "The inbound_rtb_id of an inbound RTB." }) }),
  answer: pingAnswerSchema,
  errors: [404],
} as const;

/**
 * The ping as the API's document has it; `ping-route.ts` serves it (spec: Product API, RTB ping). Names of parameters are
 * read in any case and in many spellings; every other one becomes a tag.
 */
export const pingOperations: readonly Operation[] = [
  defineOperation({
    ...about,
    method: "get",
    summary: "Ask which routes are open for a call, by query",
    query: z.object(parameters),
    handle: () => Promise.reject(new Error("served apart")),
  }),
  defineOperation({
    ...about,
    method: "post",
    summary: "Ask which routes are open for a call, by JSON or form",
    body: z.looseObject(parameters),
    bodyOptional: true,
    example: { caller_id: "+12125550123", zip_code: "10001", subid: "spring" },
    handle: () => Promise.reject(new Error("served apart")),
  }),
];
