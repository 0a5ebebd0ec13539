import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import express from "express";
import type { Organization, Question } from "../../assistant/web/wire.ts";
import { answersByQuestion } from "./canned-answers.ts";
import { anOverview } from "./canned-overview.ts";

/** The strictest policy the page is meant to live under; a violation of it fails every test. */
export const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

const pageFolder = fileURLToPath(new URL("../../assistant/web/dist", import.meta.url));
const suggestions = Object.keys(answersByQuestion).slice(0, 6);

export const organizations: readonly Organization[] = [
  { org_id: "org_1", name: "Harborview Insurance Group", access_token: "token-1" },
  { org_id: "org_2", name: "Evergreen Home Services", access_token: "token-2" },
];

export interface Failure {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Script {
  readonly mode: "demo" | "token";
  readonly organizations?: readonly Organization[];
}

const detail = (code: string, message: string) => ({ detail: { code, message } });

/**
 * Plays the assistant's HTTP interface from canned answers; asked `slow …` it answers only after `release`, whichever of
 * the two comes first.
 */
export const openFakeServer = async (script: Script) => {
  const asked: { question: Question; token: string }[] = [];
  const accepted = new Set(organizations.map((organization) => organization.access_token));
  const failures: Failure[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hungUp: string[] = [];

  const app = express();
  app.use((_request, response, next) => {
    response.setHeader("content-security-policy", contentSecurityPolicy);
    next();
  });
  app.use(express.static(pageFolder));
  app.use(express.json());

  app.get("/page/session", (_request, response) => {
    if (script.mode === "token") response.json({ mode: "token" });
    else response.json({ mode: "demo", organizations: script.organizations ?? organizations });
  });

  app.use(["/reporting_ai", "/v1"], (request, response, next) => {
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    if (accepted.has(token)) next();
    else response.status(401).json(detail("unauthorized", "The token is not valid"));
  });
  app.get("/reporting_ai/suggestions", (_request, response) => {
    response.json({ data: suggestions });
  });

  app.get("/v1/organization", (_request, response) => {
    response.json({ id: "org_1", name: "Harborview Insurance Group", timezone: "America/New_York" });
  });

  const overview: { answer: unknown; status: number; reads: number; day: unknown } = {
    answer: anOverview(),
    status: 200,
    reads: 0,
    day: undefined,
  };
  app.get("/v1/reports/overview", (request, response) => {
    overview.reads += 1;
    overview.day = request.query["day"];
    if (overview.status === 200) response.json(overview.answer);
    else response.status(overview.status).json(detail("analytics_unavailable", "The store is away."));
  });

  let instructions = "West = California";
  const ownWords = () => ({ instructions, may_change: true, updated_by: null, updated_at: null });
  app.get("/reporting_ai/instructions", (_request, response) => {
    response.json(ownWords());
  });
  app.patch("/reporting_ai/instructions", (request, response) => {
    instructions = request.body.instructions;
    response.json(ownWords());
  });

  app.post("/reporting_ai/query", (request, response) => {
    const question: Question = request.body;
    asked.push({ question, token: request.headers.authorization?.replace("Bearer ", "") ?? "" });
    const failure = failures.shift();
    if (failure !== undefined) {
      response
        .status(failure.status)
        .set(failure.headers ?? {})
        .json(failure.body);
      return;
    }
    if (question.query.startsWith("slow")) {
      response.on("close", () => {
        if (!response.writableEnded) hungUp.push(question.query);
      });
      void released.then(() => response.json(answersByQuestion["How many calls did we get last month?"]));
      return;
    }
    if (question.query.startsWith("streamed")) {
      const send = (event: string, data: unknown) =>
        response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      response.set("Content-Type", "text/event-stream");
      send("planning", {});
      send("querying", { reading: "Calls last month (Oct 1 – 31, 2026)", sql: "SELECT 1" });
      void released.then(() => {
        send("done", answersByQuestion["How many calls did we get last month?"]);
        response.end();
      });
      return;
    }
    const answer = answersByQuestion[question.query];
    if (answer === undefined)
      response.status(503).json(detail("unknown_question", `No canned answer to ${question.query}`));
    else response.json(answer);
  });

  const server = app.listen(0, "127.0.0.1");
  await new Promise<void>((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    /** The overview that is answered, how often it was read, and of which day last. */
    overview,
    /** Questions whose client went away before the answer. */
    hungUp,
    failNext: (failure: Failure): void => {
      failures.push(failure);
    },
    refuse: (token: string): void => {
      accepted.delete(token);
    },
    accept: (token: string): void => {
      accepted.add(token);
    },
    release,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

export type FakeServer = Awaited<ReturnType<typeof openFakeServer>>;
