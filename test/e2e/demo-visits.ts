import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { spawnDemo } from "../demo-process.ts";
import { openBrowser, openPage } from "./browser.ts";

/** What axe finds wrong on the page as it stands. */
export const violations = async (page: Page): Promise<readonly string[]> => {
  // A page whose first heading waits for an answer is not all there before it.
  await page.locator("h1").first().waitFor({ state: "attached" });
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" ")}`);
};

/** A running demo for a test file, nothing of it canned; each visit is a context of its own, and a fault on it fails. */
export const useDemoVisits = (settings: () => Readonly<Record<string, string>> = () => ({})) => {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-"));
  let browser: Browser;
  let url: string;
  let apiKey: string;
  let demo: ReturnType<typeof spawnDemo>;
  beforeAll(async () => {
    // A test asks faster than people do; what becomes of too many questions is tested where they are limited.
    demo = spawnDemo(dataDir, { ASSISTANT_RATE_LIMIT_PER_MIN: "10000", ...settings() });
    const { base_url, organizations } = await demo.ready();
    url = base_url;
    apiKey = organizations[0]?.api_key ?? "";
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await demo.end("SIGTERM");
    rmSync(dataDir, { recursive: true, force: true });
  });

  return async ({ hash = "#ask", ...options }: BrowserContextOptions & { readonly hash?: string } = {}) => {
    const { page, faults } = await openPage(browser, `${url}/${hash}`, { reducedMotion: "reduce", ...options });
    onTestFinished(() => expect(faults).toEqual([]));
    const box = page.getByLabel("Ask about your calls");
    /** Asks, and returns the turn once it is answered. */
    const ask = async (question: string): Promise<Locator> => {
      await box.fill(question);
      await box.press("Enter");
      const turn = page.getByRole("article", { name: question, exact: true }).last();
      await turn.getByText("How this was worked out").waitFor();
      return turn;
    };
    /** Sends a request with the key of the organization that the page shows first. */
    const send = async (method: "GET" | "POST" | "PATCH", path: string, body?: unknown) => {
      const headers = { "X-API-Key": apiKey, "Content-Type": "application/json" };
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    return { page, box, ask, send };
  };
};
