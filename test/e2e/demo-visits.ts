import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { spawnDemo } from "../api/commands/demo-process.ts";
import { openBrowser, openPage } from "./browser.ts";

/** What axe finds wrong on the page as it stands. */
export const violations = async (page: Page): Promise<readonly string[]> => {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" ")}`);
};

/** A running demo for a test file, nothing of it canned; each visit is a context of its own, and a fault on it fails. */
export const useDemoVisits = () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-"));
  let browser: Browser;
  let url: string;
  let demo: ReturnType<typeof spawnDemo>;
  beforeAll(async () => {
    // A test asks faster than people do; what becomes of too many questions is tested where they are limited.
    demo = spawnDemo(dataDir, { ASSISTANT_RATE_LIMIT_PER_MIN: "10000" });
    url = (await demo.ready()).base_url;
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await demo.end("SIGTERM");
    rmSync(dataDir, { recursive: true, force: true });
  });

  return async (options: BrowserContextOptions = {}) => {
    const { page, faults } = await openPage(browser, `${url}/`, { reducedMotion: "reduce", ...options });
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
    return { page, box, ask };
  };
};
