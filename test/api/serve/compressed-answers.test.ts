import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import express from "express";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineOperation, operationRoutes } from "../../../api/serve/operation.ts";
import { openServer } from "./server.ts";

const text = "ä".repeat(20_000);
const about = { method: "get", tag: "Buyers", access: "open", limit: "none", status: 200, summary: "" } as const;
const answering = (path: string, answer: object) =>
  defineOperation({ ...about, path, name: path.slice(1), answer: z.object({}), handle: async () => answer });
const guards = {
  authenticate: async () => ({}) as never,
  authorize: () => undefined,
  verify: async () => undefined,
  limit: async () => undefined,
};

/** Returns an answer as it came over the wire. */
async function get(path: string, headers: Record<string, string> = {}) {
  const operations = [answering("/large", { text }), answering("/small", { text: "a" })];
  const url = await openServer(
    express().use(operationRoutes(operations, guards, { maxBodyBytes: 1024, addressOf: () => null })),
  );
  return new Promise<{ encoding: string | undefined; length: number; vary: string | undefined; bytes: Buffer }>(
    (resolve, reject) => {
      request(url + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const { "content-encoding": encoding, "content-length": length, vary } = response.headers;
          resolve({ encoding, length: Number(length), vary, bytes: Buffer.concat(chunks) });
        });
      })
        .on("error", reject)
        .end();
    },
  );
}
const gzip = { "Accept-Encoding": "gzip, br" };

it("a large answer is compressed for a client that takes it", async () => {
  const { encoding, length, vary, bytes } = await get("/large", gzip);
  expect({ encoding, vary, length }).toEqual({ encoding: "gzip", vary: "Accept-Encoding", length: bytes.length });
  expect(bytes.length).toBeLessThan(text.length / 10);
  expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({ text });
});

it.each([
  ["/large", {}],
  ["/large", { "Accept-Encoding": "br" }],
  ["/small", gzip],
])("%s is sent as it is to a client that says %j", async (path, headers) => {
  const { encoding, length, bytes } = await get(path, headers);
  expect([encoding, length]).toEqual([undefined, bytes.length]);
  expect(Object.keys(JSON.parse(bytes.toString()))).toEqual(["text"]);
});
