import type { IncomingHttpHeaders } from "node:http";

/**
 * The credentials that an operation requires: an organization's key, its admin key, a user's access token, none, or a
 * carrier's or customer system's own credentials.
 */
export type Access = "api_key" | "admin_key" | "user" | "open" | CarrierAccess;

/** A request before it is parsed. */
export interface SentRequest {
  /** Path and query of the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The authentication of a carrier's requests: its switch calls for all organizations and has no organization's key. A
 * customer's system has the key of an incoming webhook.
 */
export interface CarrierAccess {
  readonly scheme: "signature" | "basic" | "svc_auth_key";
  /** Checks a request before its body is read; throws 401 or 403, or 404 if no carrier is set up. */
  admit(request: SentRequest): void;
  /** Checks a signature that covers the body, which may be missing; throws 403. */
  verify?(request: SentRequest, body: unknown): void;
}
