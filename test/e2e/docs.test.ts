import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPlatform } from "../platform.ts";
import { openBrowser, openPage, phone } from "./browser.ts";

describe("the API's page at /docs", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("shows every operation of the document, and tries one with a key that is typed in", async () => {
    const { url, one } = await openPlatform();
    const { page, faults, close } = await openPage(browser, `${url}/docs`);
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as Record<
      "paths" | "webhooks",
      Record<string, object>
    >;
    // The events that are told to others stand there beside the operations.
    const operations = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // Whatever has a slash in its path: every group opens.
    await page.getByRole("searchbox", { name: "Filter operations" }).fill("/");
    const shown = await gatherDownThePage(page);
    await expect.poll(shown).toEqual(operations.sort());
    await page.evaluate("scrollTo(0, 0)");

    await page.getByRole("button", { name: "Authorize" }).first().click();
    const asked = page.locator(".auth-container").filter({ hasText: "X-API-Key" });
    await asked.locator("input").fill(one.key);
    await asked.getByRole("button", { name: "Apply credentials" }).click();
    await asked.getByRole("button", { name: "Close" }).click();
    await page.getByRole("searchbox", { name: "Filter operations" }).fill("list buyers");
    const list = page.locator(".opblock-get").filter({ has: page.locator('[data-path="/api/v1/buyers"]') });
    await scrollUntilDrawn(page, list);
    await list.locator(".opblock-summary-control").click();
    await list.getByRole("button", { name: "Execute" }).click();
    const answer = list.locator(".live-responses-table");
    await answer.waitFor();
    await answer.locator(".response .response-col_status").first().getByText("200").waitFor();
    await expect.poll(() => answer.locator(".highlight-code").first().textContent()).toContain('"total": 0');
    expect(faults).toEqual([]);
    await close();
  });

  it("begins with its groups closed, what is needed first on top, and finds an operation by words", async () => {
    const { url } = await openPlatform();
    const { page, faults, close } = await openPage(browser, `${url}/docs`);
    const groups = page.locator(".opblock-tag");
    await groups.first().waitFor({ timeout: 60_000 });
    const names = await page.evaluate<string[]>(
      '[...document.querySelectorAll(".opblock-tag")].map((each) => each.dataset.tag)',
    );
    expect(names.slice(0, 3)).toEqual(["Campaigns", "Targets", "Numbers"]);
    expect(await page.locator(".opblock-tag-section .opblock").count()).toBe(0);

    const box = page.getByRole("searchbox", { name: "Filter operations" });
    await box.fill("post PAUSEtarget");
    const found = page.locator(".opblock-tag-section .opblock-summary-path");
    await expect.poll(() => found.count()).toBe(1);
    expect(await found.getAttribute("data-path")).toBe("/api/v1/targets/{target_id}/pause");
    await found.click();
    const opened = page.locator(".opblock.is-open");
    await opened.getByRole("heading", { name: "Responses" }).waitFor();
    await expect.poll(() => opened.innerText()).toContain("paused_until");
    expect(new URL(page.url()).hash).toBe("#/Targets/pauseTarget");

    await box.fill("pause nothing of the kind");
    await page.getByRole("status").waitFor();
    await box.fill("");
    await expect.poll(() => groups.first().getAttribute("data-tag")).toBe("Campaigns");
    expect(faults).toEqual([]);
    await close();
  });

  it("opens the operation that its address names, and is no wider than a phone", async () => {
    const { url } = await openPlatform();
    const { page, faults, close } = await openPage(browser, `${url}/docs#/Campaigns/createCampaign`, {
      viewport: phone,
    });
    const opened = page.locator(".opblock.is-open");
    await opened.waitFor({ timeout: 90_000 });
    await opened.getByRole("heading", { name: "Responses" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(phone.width);
    expect(faults).toEqual([]);
    await close();
  });
});

const gatherShown = `[...document.querySelectorAll(".opblock-summary")].map((each) =>
  each.querySelector(".opblock-summary-method").textContent + " " +
  each.querySelector(".opblock-summary-path").dataset.path)`;
const scrollOn = `new Promise((drawn) => {
  const before = scrollY;
  scrollBy(0, innerHeight / 2);
  requestAnimationFrame(() => requestAnimationFrame(() => drawn(scrollY > before)));
})`;

/**
 * The reader draws what is near the window alone, and when it has the time: they are gathered while the page is scrolled
 * to where it ends for now, once with each look.
 */
async function gatherDownThePage(page: Page): Promise<() => Promise<string[]>> {
  await page.locator(".opblock").first().waitFor();
  const seen = new Set<string>();
  return async () => {
    await page.evaluate("scrollTo(0, 0)");
    do {
      for (const each of await page.evaluate<string[]>(gatherShown)) seen.add(each);
    } while (await page.evaluate<boolean>(scrollOn));
    return [...seen].sort();
  };
}

/** Down the page, and from its top again, until the element is there. */
const scrollUntilDrawn = (page: Page, element: Locator): Promise<void> =>
  expect
    .poll(async () => {
      await page.evaluate("scrollTo(0, 0)");
      do if ((await element.count()) > 0) return true;
      while (await page.evaluate<boolean>(scrollOn));
      return false;
    })
    .toBe(true);
