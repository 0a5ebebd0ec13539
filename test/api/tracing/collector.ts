import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { z } from "zod";

const value = z
  .object({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    boolValue: z.boolean().optional(),
    doubleValue: z.number().optional(),
    arrayValue: z.unknown().optional(),
  })
  .transform(({ stringValue, intValue, boolValue, doubleValue, arrayValue }) => {
    return (
      stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? boolValue ?? doubleValue ?? arrayValue
    );
  });
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .default([])
  .transform((all) => Object.fromEntries(all.map((each) => [each.key, each.value])));
const link = z.object({ traceId: z.string(), spanId: z.string() });
const span = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.union([z.string(), z.number()]),
  endTimeUnixNano: z.union([z.string(), z.number()]),
  attributes,
  links: z.array(link).default([]),
  status: z.object({ code: z.number().optional() }).optional(),
});
export type ReceivedSpan = z.infer<typeof span>;

const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export interface ReceivedExport {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** A collector that takes OTLP over HTTP: keeps what it is sent, decoded where it is JSON, and answers as it is told to. */
export async function openCollector(answer: () => Promise<number> = async () => 200) {
  const received: ReceivedExport[] = [];
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    received.push({ path: incoming.url ?? "", headers: incoming.headers, body });
    const status = await answer();
    if (status === 200 && incoming.headers["content-type"] === "application/json") {
      for (const { resource, scopeSpans } of request.parse(JSON.parse(body.toString())).resourceSpans) {
        resources.push(resource.attributes);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
    }
    response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, spans, resources };
}
