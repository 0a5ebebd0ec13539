export type ApiRequest = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** The effect in a few words, shown above the request. */
  readonly title?: string;
};

/** The request as a shell takes it; $KEY is an API key of the organization. */
export const toCurl = ({ method, path, body }: ApiRequest, origin: string): string => {
  const key = `  -H "X-API-Key: $KEY"`;
  const sent = body === undefined ? [key] : [`${key} -H "Content-Type: application/json"`, `  -d '${quoted(body)}'`];
  return [`curl -s -X ${method} "${origin}${path}"`, ...sent].join(" \\\n");
};

/** Returns the body as JSON that is safe between a shell's single quotes. */
const quoted = (body: unknown): string => JSON.stringify(body).replaceAll("'", "'\\''");
