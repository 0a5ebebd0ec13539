import { Webhook as StandardWebhook, WebhookVerificationError } from "standardwebhooks";

export { WebhookVerificationError };

/** Headers of a request: those of `fetch`, or as Node.js, Express and others have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Checks the signatures of requests of one webhook, by its signing secret (`whsec_…`). */
export class Webhook {
  readonly #webhook: StandardWebhook;

  constructor(secret: string) {
    this.#webhook = new StandardWebhook(secret);
  }

  /**
   * Returns what a request tells: the value of JSON, the text of any other body. The body is the text or the bytes as they
   * came. Throws `WebhookVerificationError` where the signature is missing, of another secret or body, or older than five
   * minutes.
   */
  verify(body: string | Uint8Array, headers: WebhookHeaders): unknown {
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    this.#webhook.verify(text, toRecord(headers), { jsonParse: false });
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
}

function toRecord(headers: WebhookHeaders): Record<string, string> {
  const all: [string, string | readonly string[] | undefined][] =
    headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(all.map(([name, value]) => [name, typeof value === "string" ? value : (value?.[0] ?? "")]));
}
