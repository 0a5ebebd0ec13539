import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { open } from "lmdb";
import { Pool } from "undici";

/** A server that does the least that could answer likewise, to be compared with, or a bidder. */
export type Baseline =
  /** `node:http`, or Express, which answer these bytes. */
  | { readonly kind: "http" | "express"; readonly bytes: string }
  /** Express which reads a JSON body and makes it durable in LMDB before it answers these bytes. */
  | { readonly kind: "durable"; readonly bytes: string }
  /** `node:http` which asks a bidder so many times at once before it answers these bytes. */
  | { readonly kind: "fan-out"; readonly bytes: string; readonly bidder: string; readonly times: number }
  /** Answers these bytes after some milliseconds. */
  | { readonly kind: "bidder"; readonly bytes: string; readonly afterMs: number };

function listenerFor(baseline: Baseline): RequestListener {
  const { bytes } = baseline;
  const head = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(bytes) };
  switch (baseline.kind) {
    case "http":
      return (_request, response) => void response.writeHead(200, head).end(bytes);
    case "express":
      return express().use((_request, response) => void response.type("json").send(bytes));
    case "durable":
      return durable(bytes);
    case "bidder":
      return (request, response) => {
        request.resume();
        setTimeout(() => response.writeHead(200, head).end(bytes), baseline.afterMs);
      };
    case "fan-out": {
      const { origin, pathname } = new URL(baseline.bidder);
      const bidders = new Pool(origin, { pipelining: 1 });
      const ask = async () => {
        const { body } = await bidders.request({
          path: pathname,
          method: "POST",
          headers: { "content-type": "application/json" },
          body: '{"caller":"+13105550100"}',
        });
        return body.json();
      };
      return async (_request, response) => {
        await Promise.all(Array.from({ length: baseline.times }, ask));
        response.writeHead(200, head).end(bytes);
      };
    }
  }
}

function durable(bytes: string): RequestListener {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const store = open({ path: join(folder, "durable"), compression: false });
  let place = 0;
  return express().use(express.json(), async (request, response) => {
    await store.put(++place, JSON.stringify(request.body));
    await store.flushed;
    response.type("json").send(bytes);
  });
}

process.on("message", (baseline: Baseline) => {
  const server = createServer(listenerFor(baseline)).listen(0, "127.0.0.1", () => {
    process.send?.({ result: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
process.on("disconnect", () => process.exit());
