import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const switches = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium", args: switches });

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

export interface OpenPage {
  readonly page: Page;
  /** Errors of the page's own: exceptions, violations of the policy, requests that left the origin. */
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
}

const picturesFolder = ".tmp/e2e";
const lookWithinMs = 10_000;
const lastTurn = `([...document.querySelectorAll("article")].at(-1) ?? document.body).innerText.slice(0, 2000)`;

/** A failure says what was not there; what was there instead is told beside it, and kept as a picture. */
const tellShown = async (page: Page, test: string): Promise<void> => {
  const path = `${picturesFolder}/${test.replace(/\W+/g, "-").slice(0, 100)}.png`;
  await page.screenshot({ path, timeout: lookWithinMs });
  throw new Error(`The page was ${page.url()} then, and showed (${path}):\n${await page.evaluate(lastTurn)}`);
};

/** A page in a context of its own, watched for faults from its first byte; it is there until its test ends. */
export const openPage = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> => {
  const context = await browser.newContext({ viewport: desktop, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // Chromium reports every refused request by itself; what the page makes of it is each test's own matter.
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) faults.push(`console: ${text}`);
    if (message.type() === "warning") faults.push(`warning: ${text}`);
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !/^(data|blob):/.test(request.url()))
      faults.push(`left the origin: ${request.url()}`);
  });
  onTestFinished(async ({ task }) => {
    const told = task.result?.state === "fail" ? tellShown(page, task.name) : Promise.resolve();
    await told.finally(() => context.close());
  });
  await page.goto(url);
  return { page, faults, close: () => context.close() };
};
