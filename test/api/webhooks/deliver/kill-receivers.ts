import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One request that a receiver was sent. */
export interface Heard {
  /** Webhook and event. */
  readonly delivery: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly status: number;
}

const answerAfterMs = 5;

/** So many receivers; each answers every seventh call with 500 for the first time, and remembers what it was asked. */
export async function openReceivers(count: number) {
  const heard: Heard[] = [];
  const well = new Set<string>();
  const times = new Map<string, number>();
  const servers = Array.from({ length: count }, () =>
    createServer((request, response) => {
      const [, webhook, event = ""] = String(request.url).split("/");
      const delivery = `${webhook} ${decodeURIComponent(event)}`;
      const time = (times.get(delivery) ?? 0) + 1;
      times.set(delivery, time);
      const status = time === 1 && Number(/call-(\d+)/.exec(delivery)?.[1]) % 7 === 0 ? 500 : 200;
      heard.push({ delivery, at: Date.now(), status });
      if (status === 200) well.add(delivery);
      request.resume();
      request.on("end", () => setTimeout(() => response.writeHead(status).end(), answerAfterMs));
    }).listen(0, "127.0.0.1"),
  );
  await Promise.all(servers.map((server) => once(server, "listening")));
  return {
    heard,
    /** Deliveries that have come through. */
    well,
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => servers.forEach((server) => void server.close().closeAllConnections()),
  };
}
