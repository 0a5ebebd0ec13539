import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { readText } from "../../../api/serve/raw-body.ts";
import { type RawAnswer, toJsonAnswer, withRawRoute } from "../../../api/serve/raw-route.ts";

it("a client that disconnects before the end of its body has sent a bad request, which is no error of ours", async () => {
  const lines: string[] = [];
  let given: (answer: RawAnswer) => void = () => undefined;
  const answered = new Promise<RawAnswer>((resolve) => {
    given = resolve;
  });
  let begun: () => void = () => undefined;
  const reading = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const listener = withRawRoute(
    {
      match: (url) => url,
      methods: ["POST"],
      async answer({ request, toAnswer }) {
        begun();
        const answer = await readText(request, 1000).then(toJsonAnswer, toAnswer);
        given(answer);
        return answer;
      },
      logger: pino({}, { write: (line: string) => void lines.push(line) }),
      errorMessage: "failed",
    },
    (_request, response) => void response.end(),
  );
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method: "POST", headers: { "Content-Length": 100 } }).on("error", () => undefined);
  sent.write("{");
  await reading;
  sent.destroy();
  expect((await answered).status).toBe(400);
  expect(lines).toEqual([]);
});
