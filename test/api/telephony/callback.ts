import express, { type Express } from "express";
import { createFailedSignIns } from "../../../api/auth/failed-sign-ins.ts";
import { createGuards, type GuardDeps } from "../../../api/auth/guards.ts";
import { createAddressOf } from "../../../api/serve/caller-address.ts";
import { answerErrors } from "../../../api/serve/error-answers.ts";
import { type Operation, operationRoutes } from "../../../api/serve/operation.ts";
import { systemClock } from "../../../ingest/clock.ts";

/** The operations behind their real guards; there are no keys, and no limits. */
export function serveCarrier(operations: readonly Operation[]): Express {
  const addressOf = createAddressOf(() => false);
  const failedSignIns = createFailedSignIns({ perMinute: 1000, clock: systemClock, onFailed: () => undefined });
  const guards = createGuards({ limiters: new Map(), failedSignIns, addressOf } as unknown as GuardDeps);
  const app = express();
  app.use(operationRoutes(operations, guards, { maxBodyBytes: 1_048_576, addressOf }));
  app.use(answerErrors);
  return app;
}

/** Sends a callback past HTTP: its address and body are read by the operation's schemas. */
export async function callBack(operations: readonly Operation[], address: string, body: unknown): Promise<unknown> {
  const { pathname, searchParams } = new URL(address, "https://calls.example");
  const operation = operations.find(({ path }) => path === pathname);
  if (operation === undefined) throw new Error(`nothing is served at ${pathname}`);
  return operation.handle({
    params: undefined,
    caller: undefined,
    requestId: "",
    sourceIp: null,
    baseUrl: "https://calls.example",
    query: operation.query?.parse(Object.fromEntries(searchParams)),
    body: operation.body?.parse(body),
    signal: new AbortController().signal,
  } as unknown as Parameters<Operation["handle"]>[0]);
}
