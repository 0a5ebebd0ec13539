import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { openBrowser, openPage } from "./browser.ts";
import { type FakeServer, openFakeServer } from "./fake-server.ts";

export interface Visit {
  readonly page: Page;
  readonly server: FakeServer;
  readonly box: Locator;
  /** Types a question, presses Enter, and returns its turn. */
  readonly ask: (question: string) => Promise<Locator>;
  /** The turn of a question, answered or not. */
  readonly turn: (question: string) => Locator;
}

interface VisitOptions extends BrowserContextOptions {
  /** The view that is opened. */
  readonly hash?: string;
  readonly script?: Parameters<typeof openFakeServer>[0];
}

/**
 * One browser for a test file; each visit has a server and a context of its own. A fault on the page (an exception, a
 * violation of the content security policy, a request to another origin) fails the test, whatever else it asserts.
 */
export const useVisits = () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  return async ({ script = { mode: "demo" }, hash = "#ask", ...options }: VisitOptions = {}): Promise<Visit> => {
    const server = await openFakeServer(script);
    onTestFinished(server.close);
    const { page, faults } = await openPage(browser, `${server.url}${hash}`, options);
    onTestFinished(() => expect(faults).toEqual([]));
    const box = page.getByLabel("Ask about your calls");
    const turn = (question: string): Locator => page.getByRole("article", { name: question, exact: true }).last();
    const ask = async (question: string): Promise<Locator> => {
      await box.fill(question);
      await box.press("Enter");
      return turn(question);
    };
    return { page, server, box, ask, turn };
  };
};

/** A computed style of the first element that matches. */
export const styleOf = (page: Page, selector: string, property: string): Promise<unknown> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`);

/** Presses a key in the instant in which what is selected appears: before a frame is drawn, and once. */
export const pressAtOnce = (page: Page, selector: string, key: string): Promise<void> =>
  page.evaluate(
    (given) => {
      const asks = new MutationObserver(() => {
        const found = document.querySelector<HTMLElement>(given.selector);
        if (found === null) return;
        asks.disconnect();
        found.focus();
        found.dispatchEvent(new KeyboardEvent("keydown", { key: given.key, bubbles: true }));
      });
      asks.observe(document.body, { childList: true, subtree: true });
    },
    { selector, key },
  );

/** Waits until a turn holds its chart as drawn. */
export const drawnChart = async (turn: Locator): Promise<Locator> => {
  const chart = turn.locator('.chart[data-progress="drawn"]');
  const mark = chart.locator("svg .mark-rect path, svg .mark-line path, svg .mark-symbol path").first();
  // The mark of a zero is there and has no size.
  await mark.waitFor({ state: "attached" });
  return chart;
};
