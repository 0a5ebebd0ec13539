import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

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

/** A page in a context of its own, watched for faults from its first byte. */
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
  await page.goto(url);
  return { page, faults, close: () => context.close() };
};
