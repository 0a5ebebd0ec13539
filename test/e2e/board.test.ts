import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const focused = (page: Page): Promise<unknown> => page.evaluate("document.activeElement.ariaLabel");

describe.each([
  ["a desktop", { viewport: desktop }],
  ["a phone in the dark", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const)("a board on %s", (size, options) => {
  it("has saved questions pinned, arranged by keyboard, opened, and taken off", async () => {
    const { page, ask } = await visit(options);
    const [chart, figure] = [`Pinned chart on ${size}`, `Pinned figure on ${size}`];
    const board = region(page, "Your board");
    const pinned = async (): Promise<string[]> => {
      const names = await board.getByRole("heading", { level: 3 }).allTextContents();
      return names.filter((name) => name.endsWith(size));
    };
    for (const [question, name] of [
      ["revenue by campaign last month", chart],
      ["calls last month", figure],
    ] as const) {
      const turn = await ask(question);
      await turn.getByRole("button", { name: "Save", exact: true }).click();
      await turn.getByLabel("Name").fill(name);
      await page.keyboard.press("Enter");
      await turn.getByText(/saved/i).first().waitFor();
    }
    // The link under the answer has its question chosen already.
    await page.getByRole("link", { name: "Pin it to a board" }).last().click();
    const choice = board.getByLabel("Saved question to pin to your board");
    await expect.poll(() => choice.locator("option:checked").textContent()).toBe(figure);
    for (const name of [chart, figure]) {
      await choice.selectOption(name);
      await board.getByRole("button", { name: "Pin", exact: true }).click();
      await region(page, name).waitFor();
    }
    await region(page, chart).getByRole("img").waitFor();
    await region(page, figure)
      .getByText(/^[\d,]+$/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);

    await region(page, chart).getByRole("button", { name: "Table", exact: true }).click();
    await region(page, chart).getByRole("table").waitFor();
    const earlier = `Move ${figure} earlier`;
    await board.getByRole("button", { name: earlier }).press("Enter");
    await expect.poll(() => pinned()).toEqual([figure, chart]);
    await board.getByText(new RegExp(`^${figure} is number \\d of \\d\\.$`)).waitFor();
    await expect.poll(() => focused(page)).toBe(earlier);
    expect(await violations(page)).toEqual([]);

    await page.reload();
    await expect.poll(() => pinned()).toEqual([figure, chart]);
    await board.getByRole("button", { name: `Take ${chart} off` }).click();
    await expect.poll(() => pinned()).toEqual([figure]);
    await region(page, figure).getByRole("link", { name: figure, exact: true }).click();
    await page.getByRole("article", { name: "calls last month", exact: true }).waitFor();
  });
});
