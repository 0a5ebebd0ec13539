import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";
import { drawnChart } from "./visit.ts";

const visit = useDemoVisits();

/** "Nov 23", as the panel names a day. */
const dayWords = (iso: string): string =>
  new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" }).format(new Date(iso));

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
      .getByRole("button", { name: /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/ })
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

  it("is looked into from a line between its points, and saved as a picture", async () => {
    const { page, ask } = await visit({ ...options, acceptDownloads: true });
    const turn = await ask("revenue by day last 7 days");
    await drawnChart(turn);
    const points = turn.locator(".mark-symbol path");
    const [first, second] = await Promise.all([points.nth(2).boundingBox(), points.nth(3).boundingBox()]);
    if (first === null || second === null) throw new Error("two points are drawn");
    const between = (one: number, other: number) => one + (other - one) * 0.3;
    const middle = (box: typeof first) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
    const [from, to] = [middle(first), middle(second)];
    await page.mouse.click(between(from.x, to.x), between(from.y, to.y));
    const panel = turn.getByRole("group", { name: /^Look into / });
    const day = await turn.getByRole("row").nth(3).getByRole("button").textContent();
    await panel
      .locator("strong")
      .getByText(dayWords(String(day)))
      .waitFor();
    for (const [format, start] of [
      ["PNG", "\x89PNG"],
      ["SVG", "<svg "],
    ]) {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        turn.getByRole("button", { name: `Save the chart as ${format}` }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(new RegExp(`^revenue-by-day-.*\\.${format?.toLowerCase()}$`));
      const bytes = readFileSync(await file.path());
      expect(bytes.subarray(0, 5).toString("latin1")).toContain(start);
      expect(bytes.includes("var(--")).toBe(false);
    }
    expect(await violations(page)).toEqual([]);
  });
});
