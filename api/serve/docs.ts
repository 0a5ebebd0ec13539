import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Router, static as serveFolder } from "express";
import getAbsoluteFSPath from "swagger-ui-dist/absolute-path.js";
import { type DescribedEvent, toOpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { wantsGzip } from "./send-stream.ts";

/** Swagger UI uses inline styles and `data:` images; scripts come only from this server. */
const contentSecurityPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; object-src 'none'";

const reader = fileURLToPath(new URL("./reader", import.meta.url));
const guides = fileURLToPath(new URL("../guides", import.meta.url));
/** Browsers show Markdown as text. */
const asText = {
  setHeaders: (response: ServerResponse) => response.setHeader("Content-Type", "text/plain; charset=utf-8"),
};

/** Serves `/openapi.json`, Swagger UI at `/docs`, and the guides at `/docs/guides/`. */
export function docsRoutes(
  operations: readonly Operation[],
  events: readonly DescribedEvent[],
  publicUrl: string | undefined,
): Router {
  // Created at the first request, for a quick start.
  let document: ReturnType<typeof toDocument> | undefined;
  const router = Router();
  router.get("/openapi.json", (request, response) => {
    document ??= toDocument(toOpenApi(operations, events, { publicUrl }));
    const { text, zipped, etag } = document;
    response.type("application/json").set({ "Cache-Control": "no-cache", ETag: etag }).vary("Accept-Encoding");
    if (wantsGzip(request)) response.set("Content-Encoding", "gzip").send(zipped);
    else response.send(text);
  });
  router.get("/docs", (_request, response) => {
    response.set("Content-Security-Policy", contentSecurityPolicy).sendFile("index.html", { root: reader });
  });
  router.use("/docs/reader", serveFolder(reader, { index: false }));
  router.use("/docs/guides", serveFolder(guides, { index: "README.md", ...asText }));
  router.use("/docs/assets", serveFolder(getAbsoluteFSPath(), { index: false, immutable: true, maxAge: "1d" }));
  return router;
}

/** A document as it is sent; its weak tag stands for both of its forms. */
function toDocument(content: object) {
  const text = JSON.stringify(content);
  return { text, zipped: gzipSync(text), etag: `W/"${hash("sha256", text, "base64url")}"` };
}
