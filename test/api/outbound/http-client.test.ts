import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { errors } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { BlockedAddressError } from "../../../api/outbound/address-guard.ts";
import { maxAnswerBytes } from "../../../api/outbound/answer-reader.ts";
import { createHttpClient, faultOf } from "../../../api/outbound/http-client.ts";

async function exchangeWith(answer: RequestListener, unpack: boolean) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const client = createHttpClient({ allowPrivateDestinations: true, connections: 1, unpack });
  onTestFinished(() => client.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return client.exchange({ method: "GET", url, headers: {}, body: null }, AbortSignal.timeout(20_000));
}

const packed =
  (body: string | Buffer): RequestListener =>
  (request, response) =>
    void response
      .writeHead(200, { "Content-Encoding": "gzip", "X-Accepted": String(request.headers["accept-encoding"]) })
      .end(gzipSync(body));

describe("an exchange", () => {
  it("asks for gzip and unpacks it where that is set, and only there", async () => {
    expect(await exchangeWith(packed("hello"), true)).toMatchObject({
      status: 200,
      body: "hello",
      cut: false,
      headers: { "x-accepted": "gzip" },
    });
    const { body, headers } = await exchangeWith(packed("hello"), false);
    expect(body).not.toBe("hello");
    expect(headers["x-accepted"]).toBe("undefined");
  });

  it("counts what was unpacked towards its cap", async () => {
    const { body, cut } = await exchangeWith(packed(Buffer.alloc(maxAnswerBytes + 1, "x")), true);
    expect([body.length, cut]).toEqual([maxAnswerBytes, true]);
    expect((await exchangeWith(packed(Buffer.alloc(maxAnswerBytes, "x")), true)).cut).toBe(false);
  });
});

const coded = (code: string) => Object.assign(new Error("no"), { code });

it.each([
  [new BlockedAddressError("a.example"), "blocked"],
  [new DOMException("late", "TimeoutError"), "timeout"],
  [new errors.ConnectTimeoutError(), "timeout"],
  [coded("ERR_INVALID_URL"), "invalid"],
  [new URIError("malformed"), "invalid"],
  [coded("ECONNREFUSED"), "unconnected"],
  [coded("ENOTFOUND"), "unconnected"],
  [coded("EAI_AGAIN"), "unconnected"],
  [coded("CERT_HAS_EXPIRED"), "unconnected"],
  [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "unconnected"],
  [coded("ECONNRESET"), "broken"],
  [coded("UND_ERR_SOCKET"), "broken"],
  [coded("Z_DATA_ERROR"), "unreadable"],
  [new AggregateError([coded("ECONNREFUSED")]), "broken"],
  ["thrown text", "broken"],
] as const)("%s is a fault of kind %s", (error, kind) => {
  expect(faultOf(error).kind).toBe(kind);
});

it.each([
  ["connect ECONNREFUSED 10.0.0.5:8080", "connect ECONNREFUSED the address"],
  ["connect EHOSTUNREACH fd00::5:8080 - Local (10.1.2.3:0)", "connect EHOSTUNREACH the address - Local (the address)"],
  ["connect ETIMEDOUT [::1]:443", "connect ETIMEDOUT [the address]:443"],
  [
    "Hostname/IP does not match: IP: 10.0.0.5 is not in the cert's list: ",
    "Hostname/IP does not match: IP: the address is not in the cert's list: ",
  ],
  ["getaddrinfo ENOTFOUND crm.internal", "getaddrinfo ENOTFOUND crm.internal"],
  ["took 10.5 s, version 1.2.3", "took 10.5 s, version 1.2.3"],
])("the words %j of a fault name no address", (text, expected) => {
  expect(faultOf(new Error(text)).message).toBe(expected);
  const both = new AggregateError([new Error(text), new Error(text)]);
  expect(faultOf(both).message).not.toMatch(/10\.\d+\.\d+\.\d+|::/);
});
