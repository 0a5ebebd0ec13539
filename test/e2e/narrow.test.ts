import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();

describe.each([
  ["a desktop", { viewport: desktop }],
  ["a phone in the dark", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const)("an answer on %s", (_, options) => {
  it("is looked into from a bar of its chart, and from a row of its table down to a call", async () => {
    const { page, ask } = await visit(options);
    const turn = await ask("revenue by campaign last month");
    await turn.locator(".mark-rect path").first().click();
    const panel = turn.getByRole("group", { name: /^Look into / });
    await panel.waitFor();
    // The tooltip of the bar under the mouse goes.
    await page.mouse.move(1, 1);
    expect(await violations(page)).toEqual([]);
    const campaign = (await panel.locator("strong").textContent()) ?? "";
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });

    await turn.getByRole("button", { name: campaign, exact: true }).click();
    await panel.getByRole("button", { name: "By day" }).click();
    const byDay = page.getByRole("article", {
      name: new RegExp(`^Revenue by day, campaign is ${campaign}, last month`),
    });
    await byDay.getByText("How this was worked out").waitFor();
    await byDay
      .getByRole("button", { name: /^2026-/ })
      .first()
      .click();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
    await byDay.getByRole("button", { name: "List the calls" }).click();
    const list = page.getByRole("article").last();
    await list.getByText("How this was worked out").waitFor();
    await list.getByRole("table").getByRole("link").first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(page.url()).toContain("#calls/");
  });
});
