import { type Request as ExpressRequest, type Response as ExpressResponse, type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import { bodyReaders } from "../serve/bodies.ts";
import { ApiError, methodNotAllowed, refuseTooDeep, ValidationError } from "../serve/errors.ts";
import type { Operation, OperationGuards, ServedBy } from "../serve/operation.ts";
import {
  type AuthorizationServer,
  metadataRoute,
  resourceOf,
  toResourceMetadata,
  withChallenge,
} from "./resource-metadata.ts";
import type { OfferedTool, ToolAccess } from "./tool.ts";

const path = "/mcp";
/** Every message counts against the assistant's limit; a call of a tool against that of its operation, too. */
const counted = { limit: "assistant", method: "post", path } as const;

/**
 * Serves tools by the Model Context Protocol's streamable HTTP: stateless requests with JSON answers, so that any process
 * may take one. The credentials are the API's.
 */
export function mcpRoutes(
  operations: readonly Operation[],
  guards: OperationGuards,
  served: ServedBy,
  { logger, authorization }: { readonly logger: Logger; readonly authorization: AuthorizationServer | null },
): Router {
  const { maxBodyBytes, addressOf, publicUrl } = served;
  const readBody = bodyReaders(maxBodyBytes).json;
  const baseUrlOf = ({ protocol, host }: ExpressRequest): string => publicUrl ?? `${protocol}://${host}`;
  const offers = new Map<ToolAccess, Promise<readonly OfferedTool[]>>();
  const toolsFor = (access: ToolAccess): Promise<readonly OfferedTool[]> => {
    const known = offers.get(access) ?? offerTools(operations, access);
    offers.set(access, known);
    return known;
  };

  const answer: RequestHandler = async (request, response) => {
    response.set("Cache-Control", "no-store");
    await requireOwnOrigin(request.get("Origin"), publicUrl);
    const access = accessOf(request);
    const baseUrl = baseUrlOf(request);
    const caller = await guards.authenticate(request, access).catch((error: unknown) => {
      throw withChallenge(error, authorization, { baseUrl, path });
    });
    await guards.limit(caller, counted, response);
    await readBody(request, response);
    if (Array.isArray(request.body)) throw oneAtATime();
    refuseTooDeep(request.body, "body");
    const { id } = request;
    // Imported at the first request: the protocol's library would slow the start.
    const { answerMcp } = await import("./mcp-server.ts");
    const answered = await answerMcp(toWebRequest(request, response), request.body, await toolsFor(access), {
      caller,
      requestId: id,
      sourceIp: addressOf(request),
      baseUrl,
      async admit(operation) {
        guards.authorize(caller, operation);
        if (operation.limit !== counted.limit) await guards.limit(caller, operation, response);
      },
      onTrouble: (error, tool) => logger.error({ err: error, req: { id }, tool }, "tool failed"),
    });
    response.status(answered.status);
    answered.headers.forEach((value, name) => void response.set(name, value));
    response.end(await answered.text());
  };

  const router = Router();
  router.post(path, answer);
  router.all(path, ({ method }) => {
    throw methodNotAllowed(`${method} ${path}`, "POST");
  });
  router.get(metadataRoute, (request, response, next) => {
    const resource = resourceOf(request.path, path, publicUrl);
    if (resource === null) return next();
    // Read by clients in browsers, too.
    response.set("Access-Control-Allow-Origin", "*");
    response.json(toResourceMetadata(authorization, { baseUrl: baseUrlOf(request), path: resource }));
  });
  return router;
}

const offerTools = async (operations: readonly Operation[], access: ToolAccess): Promise<readonly OfferedTool[]> => {
  const [{ offerTool }, { tools }] = await Promise.all([import("./tool.ts"), import("./tools.ts")]);
  return tools.flatMap((tool) => offerTool(tool, operations, access) ?? []);
};

/** A key is the credential of a client that sends one and no token. */
const accessOf = (request: ExpressRequest): ToolAccess =>
  request.get("Authorization") === undefined && request.get("X-API-Key") !== undefined ? "api_key" : "user";

/**
 * Refuses requests of web pages, but for those of this machine and of the installation's own address: a page whose name
 * was made to resolve to this server (DNS rebinding) would pass for one of its own.
 */
async function requireOwnOrigin(origin: string | undefined, publicUrl: string | undefined): Promise<void> {
  if (origin === undefined) return;
  const { localhostAllowedOrigins, validateOriginHeader } = await import("@modelcontextprotocol/server");
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  if (validateOriginHeader(origin, [...localhostAllowedOrigins(), ...own]).ok) return;
  throw new ApiError(403, "origin_refused", "Web pages of other origins may not use the tools.");
}

/** The request as the protocol's library takes it; aborted when the client disconnects before it has the answer. */
function toWebRequest(request: ExpressRequest, response: ExpressResponse): Request {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new Error("The client has disconnected."));
  });
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const body = JSON.stringify(request.body);
  // The library does not look at the address, which a client's Host may have made unreadable.
  return new Request(`http://localhost${path}`, { method: "POST", headers, body, signal: gone.signal });
}

/** A batch would count once against the limit. */
const oneAtATime = (): ValidationError =>
  new ValidationError([{ loc: ["body"], msg: "Send one message at a time.", type: "dict_type" }]);
