import type { Request, Response } from "express";
import type { z } from "zod";
import { type Ignored, toIgnoredHeader } from "./ignored.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { ignoredParameters } from "./ignored-parameters.ts";

/** What an operation takes, and whether a read of it may be sent back. */
interface Takes {
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly takesItsAnswer?: boolean;
}

/** Names in headers what was sent and changes nothing, and returns the parameters among it. */
export function tellIgnored(takes: Takes, { query, body }: Request, response: Response): Ignored[] {
  const shown = takes.takesItsAnswer === true ? { shown: takes.answer } : {};
  const fields = takes.body ? ignoredFields(body, { taken: takes.body, ...shown }) : [];
  if (fields.length > 0) response.set("X-Ignored-Fields", toIgnoredHeader(fields));
  const parameters = ignoredParameters(takes.query, query);
  if (parameters.length > 0) response.set("X-Ignored-Parameters", toIgnoredHeader(parameters));
  return parameters;
}
