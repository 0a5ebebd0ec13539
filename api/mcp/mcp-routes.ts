import { type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import { bodyReaders } from "../serve/bodies.ts";
import { methodNotAllowed, ValidationError } from "../serve/errors.ts";
import type { Operation, OperationGuards, ServedBy } from "../serve/operation.ts";

const path = "/mcp";
/** Requests count against the assistant's limit. */
const counted = { limit: "assistant", method: "post", path } as const;

/**
 * Serves the assistant's tools by the Model Context Protocol's streamable HTTP: stateless requests with JSON answers, so
 * that any process may take one. The access token is the API's.
 */
export function mcpRoutes(
  operations: readonly Operation[],
  { authenticate, authorize, limit }: OperationGuards,
  { maxBodyBytes, addressOf, publicUrl }: ServedBy,
  logger: Logger,
): Router {
  const readBody = bodyReaders(maxBodyBytes).json;
  const answer: RequestHandler = async (request, response) => {
    response.set("Cache-Control", "no-store");
    const caller = await authenticate(request, "user");
    await limit(caller, counted, response);
    await readBody(request, response);
    if (Array.isArray(request.body)) throw oneAtATime();
    const { id } = request;
    // Imported at the first request: the protocol's library would slow the start.
    const { openMcpServer } = await import("./mcp-server.ts");
    const server = await openMcpServer(operations, {
      caller,
      authorize,
      requestId: id,
      sourceIp: addressOf(request),
      baseUrl: publicUrl ?? `${request.protocol}://${request.host}`,
      onTrouble: (error) => logger.error({ err: error, req: { id } }, "tool failed"),
    });
    // Cancels the work of a client that has disconnected.
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

/** A batch would count once against the limit. */
const oneAtATime = (): ValidationError =>
  new ValidationError([{ loc: ["body"], msg: "Send one message at a time.", type: "dict_type" }]);
