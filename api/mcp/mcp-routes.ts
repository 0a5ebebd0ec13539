import { type RequestHandler, Router } from "express";
import { bodyReaders } from "../serve/bodies.ts";
import { methodNotAllowed, ValidationError } from "../serve/errors.ts";
import type { Operation, OperationGuards, ServedBy } from "../serve/operation.ts";

const path = "/mcp";
/** Counts against the assistant's limit, together with what the user asks elsewhere. */
const counted = { limit: "assistant", method: "post", path } as const;

/**
 * The assistant's tools over the Model Context Protocol, by its streamable HTTP: each request stands by itself and is
 * answered as JSON, so that any process may take it. The access token is the API's.
 */
export function mcpRoutes(
  operations: readonly Operation[],
  { authenticate, limit }: OperationGuards,
  { maxBodyBytes, addressOf }: ServedBy,
): Router {
  const readBody = bodyReaders(maxBodyBytes).json;
  const answer: RequestHandler = async (request, response) => {
    response.set("Cache-Control", "no-store");
    const caller = await authenticate(request, "user");
    await limit(caller, counted, response);
    await readBody(request, response);
    if (Array.isArray(request.body)) throw oneAtATime();
    const { id, log } = request;
    // Loaded for the first who asks: a start does not wait for the protocol's library.
    const { openMcpServer } = await import("./mcp-server.ts");
    const server = await openMcpServer(operations, {
      caller,
      requestId: String(id),
      sourceIp: addressOf(request),
      onTrouble: (error) => log.error({ err: error }, "tool failed"),
    });
    // Closing it cancels what a client that has gone away was waiting for.
    response.on("close", () => void server.close());
    await server.answer(request, response, request.body);
  };
  const router = Router();
  router.post(path, answer);
  router.all(path, ({ method }) => {
    throw methodNotAllowed(`${method} ${path}`, "POST");
  });
  return router;
}

/** A batch would be many questions that count as one. */
const oneAtATime = (): ValidationError =>
  new ValidationError([{ loc: ["body"], msg: "Send one message at a time.", type: "dict_type" }]);
