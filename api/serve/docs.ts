import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Router, static as serveFolder } from "express";
import getAbsoluteFSPath from "swagger-ui-dist/absolute-path.js";
import { type DescribedEvent, toOpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { wantsGzip } from "./send-stream.ts";

/** Swagger UI uses inline styles and `data:` images; scripts come only from this server. */
const contentSecurityPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; object-src 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Trunkline API</title>
  <link rel="icon" href="/favicon.svg">
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
  <div id="reader"></div>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/reader.js"></script>
</body>
</html>
`;

const script = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reader", deepLinking: true, tryItOutEnabled: true, persistAuthorization: false });
`;

/** Serves `/openapi.json`, and Swagger UI at `/docs`. */
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
    response.set("Content-Security-Policy", contentSecurityPolicy).type("html").send(page);
  });
  router.get("/docs/reader.js", (_request, response) => {
    response.type("text/javascript").send(script);
  });
  router.use("/docs/assets", serveFolder(getAbsoluteFSPath(), { index: false, immutable: true, maxAge: "1d" }));
  return router;
}

/** A document as it is sent; its weak tag stands for both of its forms. */
function toDocument(content: object) {
  const text = JSON.stringify(content);
  return { text, zipped: gzipSync(text), etag: `W/"${hash("sha256", text, "base64url")}"` };
}
