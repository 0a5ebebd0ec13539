import { request } from "undici";
import { type ConfigDocument, definitionOf } from "../config/registry.ts";
import type { Installed } from "./installation.ts";

export interface Move {
  readonly baseUrl: string;
  readonly from: string | undefined;
  readonly to: string;
  /** Told of what could not be moved: its requests fail from then on. */
  onTrouble(error: unknown): void;
}

/** Points config that names the receiver's old address to its new one, by the API, and leaves the rest as it is. */
export async function moveReceiver(
  installed: readonly Installed[],
  { baseUrl, from, to, onTrouble }: Move,
): Promise<void> {
  if (from === undefined || from === to) return;
  for (const { shown, documents, wasThere } of installed) {
    if (!wasThere) continue;
    for (const document of documents) {
      const fields = renamed(document, `${from}/`, `${to}/`);
      if (Object.keys(fields).length === 0) continue;
      const url = `${baseUrl}/api/v1/${definitionOf(document.type).path}/${document.doc.id}`;
      const headers = { "X-API-Key": shown.api_key, "Content-Type": "application/json" };
      const { statusCode, body } = await request(url, { method: "PATCH", headers, body: JSON.stringify(fields) });
      const answer = await body.text();
      if (statusCode >= 300) onTrouble(new Error(`${url} still names ${from}, not ${to}: ${statusCode} ${answer}`));
    }
  }
}

/** The fields that have it, as they are with the other one in its place. */
function renamed({ type, doc }: ConfigDocument, from: string, to: string): Record<string, unknown> {
  const fields = Object.keys(definitionOf(type).writable.shape).map((name) => [name, Reflect.get(doc, name)] as const);
  return Object.fromEntries(
    fields
      .map(([name, value]) => [name, JSON.stringify(value) ?? ""] as const)
      .filter(([, text]) => text.includes(from))
      .map(([name, text]) => [name, JSON.parse(text.replaceAll(from, to))]),
  );
}
