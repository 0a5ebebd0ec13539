import { describe, expect, it } from "vitest";
import { maskSecrets } from "../../../api/outbound/mask-secrets.ts";

describe("a header", () => {
  it.each([
    "Authorization",
    "proxy-authorization",
    "X-Auth",
    "x-auth-key",
    "Cookie",
    "Set-Cookie",
    "X-API-Key",
    "apikey",
    "X-Access-Token",
    "x-shared-secret",
    "X-Hub-Signature-256",
    "password",
    "Ocp-Apim-Subscription-Key",
  ])("%s is hidden", (name) => {
    expect(maskSecrets({ [name]: "value" })).toEqual({ [name]: "***" });
  });

  it.each(["content-type", "user-agent", "x-request-id", "idempotency-key", "x-keyword"])("%s is shown", (name) => {
    expect(maskSecrets({ [name]: "value" })).toEqual({ [name]: "value" });
  });
});
