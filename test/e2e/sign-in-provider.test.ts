import Provider from "oidc-provider";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLater } from "../later-server.ts";
import { orgOne } from "../make.ts";
import { openPlatform } from "../platform.ts";
import { desktop, openBrowser, openPage, phone } from "./browser.ts";
import { violations } from "./demo-visits.ts";

const audience = "https://trunkline.example/api";
const clientId = "trunkline-page";

/** A platform whose analysts sign in at a real OpenID Connect provider, which puts this organization into its tokens. */
async function openSignIn(organization: string) {
  const { url: issuer, begin } = await openLater();
  const { url } = await openPlatform({
    settings: {
      JWT_JWKS_URL: `${issuer}/jwks`,
      JWT_ISSUER: issuer,
      JWT_AUDIENCE: audience,
      OIDC_CLIENT_ID: clientId,
    },
  });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: "none",
        redirect_uris: [`${url}/`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    pkce: { required: () => true },
    clientBasedCORS: (_context, origin) => origin === url,
    extraTokenClaims: () => ({ org_id: organization }),
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "",
          audience,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
  begin(provider.callback());
  return { url, issuer };
}

/** What the provider's own pages ask for. */
async function logIn(page: Page): Promise<void> {
  await page.locator('input[name="login"]').fill("ana@example.com");
  await page.locator('input[name="password"]').fill("anything");
  await page.locator('button[type="submit"]').click();
  await page.getByRole("button", { name: "Continue" }).click();
}

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe("signing in at an identity provider", () => {
  it.each([
    ["a desktop", { viewport: desktop }],
    ["a phone", { viewport: phone, hasTouch: true, isMobile: true }],
  ] as const)("leads there and back on %s, for the tab, until signing out", async (_size, options) => {
    const { url, issuer } = await openSignIn(orgOne);
    const { page, faults, close } = await openPage(browser, `${url}/`, options);
    await page.getByText(`You are led to ${new URL(issuer).host}`).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in" }).click();
    await logIn(page);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toBe(`${url}/`);
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("Ask about your calls").fill("calls today");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "calls today" }).getByText("How this was worked out").waitFor();
    await page.reload();
    await page.getByLabel("Ask about your calls").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    // The provider's own pages are another origin's, and ask for what they like.
    expect(faults.filter((fault) => !fault.startsWith("left the origin: "))).toEqual([]);
    await close();
  });

  it("comes back to the place that a link had led to", async () => {
    const { url } = await openSignIn(orgOne);
    const { page, close } = await openPage(browser, `${url}/#deliveries?status=5xx`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await logIn(page);
    await page.getByRole("heading", { name: "Webhook deliveries" }).waitFor();
    await expect.poll(() => page.getByLabel("Status").inputValue()).toBe("5xx");
    expect(page.url()).toBe(`${url}/#deliveries?status=5xx`);
    await close();
  });

  it("says so when the provider refuses, and when the organization is not here", async () => {
    const { url } = await openSignIn("org_of_nobody");
    const { page, close } = await openPage(browser, `${url}/`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("alert").getByText("The provider did not sign you in (access_denied).").waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await logIn(page);
    await page.getByRole("alert").getByText("not to an organization that is here").waitFor();
    expect(await violations(page)).toEqual([]);
    await close();
  });

  it("takes no answer of a sign-in that did not begin in this tab", async () => {
    const { url } = await openSignIn(orgOne);
    const { page, close } = await openPage(browser, `${url}/?code=stolen&state=forged`);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('trunkline.access_token')")).toBeNull();
    await close();
  });
});
