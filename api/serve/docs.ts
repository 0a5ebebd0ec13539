import { Router, static as serveFolder } from "express";
import getAbsoluteFSPath from "swagger-ui-dist/absolute-path.js";
import { toOpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";

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
export function docsRoutes(operations: readonly Operation[]): Router {
  // Created at the first request, for a quick start.
  let document: string | undefined;
  const router = Router();
  router.get("/openapi.json", (_request, response) => {
    document ??= JSON.stringify(toOpenApi(operations));
    response.type("application/json").set("Cache-Control", "no-cache").send(document);
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
