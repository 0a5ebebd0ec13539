import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const pattern = /^[\w.:-]{1,128}$/;

/** The client's own X-Request-Id where it is one, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && pattern.test(given) ? given : randomUUID();
}
