import type { IncomingHttpHeaders } from "node:http";

/**
 * Who may call: an organization's key, an admin key of it, a user's access token, anybody, or a carrier or a customer's
 * system by credentials of its own.
 */
export type Access = "api_key" | "admin_key" | "user" | "open" | CarrierAccess;

/** A request as it was sent, before anything of it is understood. */
export interface SentRequest {
  /** Path and query, as the request line has them. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * How a carrier's requests are known: its switch calls for all organizations, and has the key of none. A customer's
 * system has the key of an incoming webhook.
 */
export interface CarrierAccess {
  readonly scheme: "signature" | "basic" | "svc_auth_key";
  /** Judges a request before anything of its body is read; throws 401 or 403, or 404 where no carrier is set up. */
  admit(request: SentRequest): void;
  /** Judges what was signed together with the body, which may be missing; throws 403. */
  verify?(request: SentRequest, body: unknown): void;
}
