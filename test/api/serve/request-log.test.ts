import type { RequestListener } from "node:http";
import express from "express";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { answerErrors } from "../../../api/serve/error-answers.ts";
import { requestLog } from "../../../api/serve/request-log.ts";
import { answerByEvents } from "../../../api/serve/server-sent-events.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { openTracing } from "../../../api/tracing/open-tracing.ts";
import { traceRequest } from "../../../api/tracing/trace-requests.ts";
import type { Tracing } from "../../../ingest/tracing.ts";
import { openServer } from "./server.ts";

const full = new Error("the disk is full");

async function openRig(tracing: Tracing | null = null) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = express()
    .use(requestLog(logger))
    .get("/fails", () => Promise.reject(full))
    .get("/is-cut", async (_request, response) => {
      response.write("half of");
      throw full;
    })
    .get("/by-events", (_request, response) =>
      answerByEvents(response, async (onProgress) => {
        onProgress("begun");
        throw full;
      }),
    )
    .use(answerErrors);
  const listener: RequestListener = (request, response) =>
    tracing === null
      ? app(request, response)
      : traceRequest(tracing, request, response, { serve: () => app(request, response), routeOf: () => null });
  return { lines, url: await openServer(listener) };
}

it.each([
  ["fails", "request failed", 500],
  ["is-cut", "answer cut", 200],
  ["by-events", "request failed", 200],
])("a request that %s is told in one line, with what went wrong", async (path, msg, status) => {
  const { lines, url } = await openRig();
  await fetch(`${url}/${path}?key=secret`)
    .then((response) => response.text())
    .catch(() => undefined);
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines).toMatchObject([
    { level: 50, msg, err: { message: full.message }, req: { path: `/${path}` }, res: { status } },
  ]);
  expect(JSON.stringify(lines)).not.toContain("secret");
});

it("a request that is traced is told with the id of its trace", async () => {
  const deps = { onSpans: () => undefined, onTrouble: () => undefined };
  const tracing = await openTracing(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }), deps);
  onTestFinished(() => tracing?.close());
  const { lines, url } = await openRig(tracing);
  const traceId = "ab".repeat(16);
  await fetch(`${url}/fails`, { headers: { traceparent: `00-${traceId}-${"cd".repeat(8)}-00` } });
  await expect.poll(() => lines).toMatchObject([{ trace_id: traceId, res: { status: 500 } }]);
  const untraced = await openRig();
  await fetch(`${untraced.url}/fails`);
  await expect.poll(() => untraced.lines).toHaveLength(1);
  expect(untraced.lines[0]).not.toHaveProperty("trace_id");
});
