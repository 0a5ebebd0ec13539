export type Json = Readonly<Record<string, unknown>>;
export interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { name: string; description?: string; in: string; required: boolean; schema: Json }[];
  readonly requestBody?: { content: Record<string, { schema: Json; example?: unknown }> };
  readonly responses: Readonly<Record<string, Json>>;
  readonly security: readonly Json[];
}
export interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string; description: string };
  readonly servers: readonly { url: string }[];
  readonly tags: readonly { name: string; description: string }[];
  readonly webhooks: Readonly<Record<string, Json>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Readonly<Record<string, Json>>;
}

/** An object of properties may have one called `type`. */
export const isPropertyMap = (value: Json): boolean =>
  typeof value["type"] === "object" && !Array.isArray(value["type"]);

export function schemasOf({ paths }: Document): unknown[] {
  const schemas: unknown[] = [];
  walk(paths, (value) => {
    if ("schema" in value && typeof value["schema"] === "object") schemas.push(value["schema"]);
  });
  return schemas;
}

export function walk(value: unknown, visit: (value: Json) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) visit(value as Json);
  for (const each of Object.values(value)) walk(each, visit);
}
