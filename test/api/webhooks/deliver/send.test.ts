import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSender, type Exchange, type SenderOptions } from "../../../../api/webhooks/deliver/send.ts";
import type { FilledRequest } from "../../../../api/webhooks/deliver/template.ts";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function openReceiver(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${await listen(server)}`;
}

/** A receiver below HTTP: what it does with a connection is all that happens. */
async function openSocketReceiver(accept: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    accept(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

async function send(request: Partial<FilledRequest> & { url: string }, options: Partial<SenderOptions> = {}) {
  const sender = createSender({ allowPrivateDestinations: true, ...options });
  onTestFinished(() => sender.close());
  return sent(sender.send({ method: "POST", headers: {}, body: null, ...request }));
}

/** Nothing stopped it, so there has been an exchange. */
async function sent(exchange: Promise<Exchange | null>): Promise<Exchange> {
  const happened = await exchange;
  if (happened === null) throw new Error("nothing was sent");
  return happened;
}

describe("what a receiver answers", () => {
  it.each([
    [200, "delivered"],
    [204, "delivered"],
    [299, "delivered"],
    [302, "refused"],
    [400, "refused"],
    [404, "refused"],
    [429, "refused"],
    [500, "refused"],
    [410, "gone"],
  ] as const)("by %i makes the attempt %s", async (status, outcome) => {
    const url = await openReceiver((_request, response) => response.writeHead(status).end());
    expect(await send({ url })).toMatchObject({ outcome, status, body: "", error: null });
  });

  it("comes back whole, with how long it took", async () => {
    const url = await openReceiver((_request, response) => {
      response.writeHead(201, { "X-Many": ["a", "b"], Location: "/1" }).end("größe");
    });
    const exchange = await send({ url });
    expect(exchange).toMatchObject({ status: 201, body: "größe", headers: { "x-many": "a, b", location: "/1" } });
    expect(exchange.elapsedMs).toBeGreaterThanOrEqual(0);
  });

  it("by a redirect is not followed", async () => {
    const asked: string[] = [];
    const url = await openReceiver((request, response) => {
      asked.push(String(request.url));
      response.writeHead(307, { Location: "/elsewhere" }).end();
    });
    expect(await send({ url: `${url}/here` })).toMatchObject({ outcome: "refused", status: 307 });
    expect(asked).toEqual(["/here"]);
  });

  it("compressed is left alone: nothing is unpacked", async () => {
    const url = await openReceiver((_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync("x".repeat(10_000)));
    });
    const exchange = await send({ url });
    expect(exchange).toMatchObject({ outcome: "delivered", headers: { "content-encoding": "gzip" } });
    expect(exchange.body?.length).toBeLessThan(1000);
  });

  it("is kept whole up to 64 KiB", async () => {
    const url = await openReceiver((_request, response) => response.end("x".repeat(64 * 1024)));
    expect((await send({ url })).body).toBe("x".repeat(64 * 1024));
  });

  it("without end is cut after 64 KiB, says so, and no more of it is read", async () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    let sent = 0;
    let noteClosed: (sent: number) => void = () => {};
    const closed = new Promise<number>((resolve) => {
      noteClosed = resolve;
    });
    const url = await openReceiver((_request, response) => {
      const pump = () => {
        while (sent < 100 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
      };
      response.on("drain", pump).on("close", () => noteClosed(sent));
      pump();
    });
    const { outcome, body } = await send({ url });
    expect(outcome).toBe("delivered");
    expect(body).toBe(`${"x".repeat(64 * 1024)}… [cut after 65536 bytes]`);
    // What the buffers of both ends and of the system between them take, and nothing like the whole.
    expect(await closed).toBeLessThan(20 * 1024 * 1024);
  });
});

describe("what a receiver is sent", () => {
  const heard = async (request: Omit<Partial<FilledRequest>, "url">, path = "/x?y=1") => {
    let seen: { method?: string; url?: string; headers: NodeJS.Dict<string | string[]>; raw: string[] } | undefined;
    const url = await openReceiver(({ method, url, headers, rawHeaders }, response) => {
      seen = { method: String(method), url: String(url), headers, raw: rawHeaders };
      response.end();
    });
    const exchange = await send({
      ...request,
      url: path.startsWith("/") ? url + path : path.replace("HOST", url.slice(7)),
    });
    return { exchange, seen };
  };

  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)("is the template's, by %s", async (method) => {
    const { seen } = await heard({ method, headers: { "x-a": "1" } });
    expect(seen).toMatchObject({ method, url: "/x?y=1", headers: { "x-a": "1" } });
  });

  it("has names of any script in its headers, as UTF-8", async () => {
    const { exchange, seen } = await heard({ headers: { "x-campaign": "Café – 東京" } });
    expect(exchange.outcome).toBe("delivered");
    expect(Buffer.from(String(seen?.headers["x-campaign"]), "latin1").toString()).toBe("Café – 東京");
  });

  it("has the address's own credentials, unless a header says otherwise", async () => {
    const basic = (await heard({}, "http://us%40er:p:w@HOST/x")).seen?.headers.authorization;
    expect(Buffer.from(String(basic).replace("Basic ", ""), "base64").toString()).toBe("us@er:p:w");
    const own = await heard({ headers: { authorization: "Bearer t" } }, "http://user:pw@HOST/x");
    expect(own.seen?.headers.authorization).toBe("Bearer t");
  });
});

describe("a receiver that does not answer", () => {
  it("refuses the connection", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const exchange = await send({ url: `http://127.0.0.1:${port}/` });
    expect(exchange).toMatchObject({ outcome: "network_error", status: null, body: null });
    expect(exchange.error).toContain("ECONNREFUSED");
  });

  it("resets it", async () => {
    const url = await openSocketReceiver((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await send({ url })).toMatchObject({ outcome: "network_error", status: null });
  });

  it("breaks off in the middle of its answer", async () => {
    const url = await openSocketReceiver((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")),
    );
    expect(await send({ url })).toMatchObject({ outcome: "network_error" });
  });

  it("speaks something else than HTTP", async () => {
    const url = await openSocketReceiver((socket) => socket.end("220 mail.example ESMTP\r\n"));
    expect(await send({ url })).toMatchObject({ outcome: "network_error" });
  });

  it("says nothing at all until the deadline", async () => {
    const url = await openSocketReceiver(() => undefined);
    expect(await send({ url }, { deadlineMs: 50 })).toMatchObject({
      outcome: "timeout",
      error: "No complete answer within 0.05 s.",
    });
  });

  it("drips its answer past the deadline, however often a byte comes", async () => {
    const url = await openSocketReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
      const drip = setInterval(() => socket.write("."), 5);
      socket.on("close", () => clearInterval(drip));
    });
    expect(await send({ url }, { deadlineMs: 80 })).toMatchObject({ outcome: "timeout", status: null });
  });
});

describe("a request that cannot be sent", () => {
  it.each([
    ["[HOST]/x"],
    ["https://[SUB].crm.example/"],
    [""],
    ["/only/a/path"],
    ["ftp://crm.example/x"],
    ["file:///etc/passwd"],
    ["javascript:alert(1)"],
    ["http://100%@crm.example/"],
  ])("to %j is invalid, in words", async (url) => {
    const exchange = await send({ url });
    expect(exchange).toMatchObject({ outcome: "invalid", status: null });
    expect(exchange.error).toContain("The filled template is no valid request");
  });

  it.each([
    ["a name with a space", { "bad name": "x" }],
    ["a line break", { x: "a\r\nb: c" }],
    ["a length that is not the body's", { "content-length": "5" }],
    ["what would change the connection", { "transfer-encoding": "chunked" }],
    ["an expectation", { expect: "100-continue" }],
  ])("with %s in its headers is invalid", async (_what, headers) => {
    const url = await openReceiver((_request, response) => response.end());
    expect(await send({ url, headers, body: "{}" })).toMatchObject({ outcome: "invalid", status: null });
  });
});

describe("without leave to go to addresses inside the network", () => {
  it.each(["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])(
    "%s is blocked and hears nothing",
    async (host) => {
      let heard = 0;
      const url = await openReceiver((_request, response) => {
        heard += 1;
        response.end();
      });
      const exchange = await send({ url: url.replace("127.0.0.1", host) }, { allowPrivateDestinations: false });
      expect(exchange).toMatchObject({ outcome: "blocked", status: null });
      expect(exchange.error).toContain("requests go to public addresses only");
      expect(heard).toBe(0);
    },
  );
});

describe("a sender that was closed", () => {
  it("sends no more", async () => {
    const sender = createSender({ allowPrivateDestinations: true });
    await sender.close();
    const exchange = await sent(sender.send({ method: "GET", url: "http://127.0.0.1:9/", headers: {}, body: null }));
    expect(exchange.outcome).toBe("network_error");
  });
});
