import express from "express";
import { pino } from "pino";
import { expect, it } from "vitest";
import { answerErrors } from "../../../api/serve/error-answers.ts";
import { requestLog } from "../../../api/serve/request-log.ts";
import { answerByEvents } from "../../../api/serve/server-sent-events.ts";
import { openServer } from "./server.ts";

const full = new Error("the disk is full");

async function openRig() {
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
  return { lines, url: await openServer(app) };
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
