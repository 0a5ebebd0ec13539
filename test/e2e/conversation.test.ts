import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { periodNamed } from "./choose-period.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";
import { drawnChart, pressAtOnce } from "./visit.ts";

const visit = useDemoVisits();

const sizes = [
  ["a desktop", { viewport: desktop }],
  ["a phone in the dark", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const;

const chip = (page: Page, name: string) =>
  page
    .getByRole("article")
    .last()
    .getByRole("list", { name: "How the question was read" })
    .getByRole("button", { name });
const lastTurn = (page: Page) => page.getByRole("article").last();
const choose = (page: Page, name: string) => lastTurn(page).getByRole("button", { name, exact: true }).click();

describe.each(sizes)("a conversation on %s", (_size, options) => {
  it("goes on by a follow-up, by chips and by charts of another kind", async () => {
    const { page, ask } = await visit(options);
    await drawnChart(await ask("revenue by day last 30 days"));
    const turn = lastTurn(page);
    expect(await turn.locator(".mark-line").count()).toBeGreaterThan(0);
    await turn.getByRole("button", { name: "Bars", exact: true }).click();
    await expect.poll(() => turn.locator(".mark-rect path").count()).toBe(30);
    await turn.getByRole("button", { name: "Table", exact: true }).click();
    expect(await turn.getByRole("img").count()).toBe(0);

    await ask("by campaign instead");
    await chip(page, "by campaign").click();
    await page.getByLabel("Find a grouping").first().fill("publi");
    await page.getByRole("button", { name: "publisher", exact: true }).click();
    const byPublisher = page.getByRole("article", { name: "Revenue by publisher, last 30 days" });
    await byPublisher.getByRole("columnheader", { name: "Publisher" }).waitFor();

    await chip(page, "last 30 days").click();
    await page.getByLabel("Another period").fill("the good old days");
    await page.getByRole("button", { name: "Apply" }).click();
    await lastTurn(page).getByRole("alert").getByText("These words name no period").waitFor();
    expect(await violations(page)).toEqual([]);
    await byPublisher.getByRole("button", { name: "last 30 days" }).click();
    await periodNamed(page, "Last month").click();
    const lastMonth = page.getByRole("article", { name: "Revenue by publisher, last month" });
    await lastMonth.getByRole("columnheader", { name: "Publisher" }).waitFor();

    await chip(page, "Filter…").click();
    await page.getByLabel("Find what to filter by").first().fill("camp");
    await page.getByRole("button", { name: "campaign", exact: true }).click();
    await page.getByRole("list", { name: "Values of campaign" }).getByRole("button").nth(1).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type("solar");
    const solar = page.getByRole("list", { name: "Values of campaign" }).getByRole("button");
    await expect.poll(() => solar.allTextContents()).toEqual(["Home Solar Northeast"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await chip(page, "campaign is Home Solar Northeast").waitFor();
    await chip(page, "Filter…").click();
    await page.getByLabel("Find what to filter by").first().fill("converted");
    await page.getByRole("button", { name: "converted", exact: true }).click();
    await page.getByRole("button", { name: "yes", exact: true }).click();
    await chip(page, "converted").waitFor();

    await chip(page, "revenue").click();
    await page.getByLabel("Find a figure").first().fill("conversion rate");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "conversion rate", exact: true }).click();
    await lastTurn(page).getByRole("columnheader", { name: "Conversion rate" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
  });

  it("is held against another period, and against none", async () => {
    const { page, ask } = await visit(options);
    await ask("calls by campaign last month");
    await chip(page, "Compare with…").click();
    expect(await violations(page)).toEqual([]);
    await choose(page, "The period before");
    const compared = page.getByRole("article", { name: "Calls by campaign, last month, vs the period before" });
    await compared.getByRole("columnheader", { name: "Calls before" }).waitFor();
    await chip(page, "last month").click();
    await periodNamed(page, "Last 7 days").click();
    await chip(page, "vs the period before").click();
    await choose(page, "A year earlier");
    await chip(page, "vs last 7 days a year earlier").click();
    await choose(page, "Remove");
    await page.getByRole("article", { name: "Calls by campaign, last 7 days", exact: true }).waitFor();
  });

  it("is asked for days of the calendar, by the keyboard alone", async () => {
    const { page, ask } = await visit(options);
    await ask("calls by campaign last month");
    await chip(page, "last month").click();
    const grid = lastTurn(page).getByRole("grid");
    const end = grid.locator('[tabindex="0"]');
    await end.focus();
    expect(await violations(page)).toEqual([]);
    // The last day of the month before: from there a week back is one end, its Monday the other.
    for (const key of ["PageUp", "ArrowUp", "Enter", "Home", "Enter"]) await page.keyboard.press(key);
    const chosen = await grid.locator('[aria-pressed="true"]').evaluateAll((days) => days.map((day) => day.ariaLabel));
    expect(chosen[0]).toMatch(/^Monday, /);
    await page.getByRole("button", { name: "Use these dates" }).press("Enter");
    const asked = page.getByRole("article", {
      name: /^Calls by campaign, [A-Z][a-z]{2} \d+( – ([A-Z][a-z]{2} )?\d+)?, \d{4}$/,
    });
    await asked.getByRole("columnheader", { name: "Campaign" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
  });

  it("is narrowed by numbers, by tags and by the figures of its groups", async () => {
    const { page, ask } = await visit(options);
    const filterBy = async (field: string): Promise<void> => {
      await chip(page, "Filter…").click();
      await page.getByLabel("Find what to filter by").first().fill(field);
    };
    await ask("calls by campaign last month");
    await filterBy("dur");
    await choose(page, "duration");
    await page.getByLabel("How duration is compared").selectOption("between");
    await page.getByLabel("Value of duration").fill("a while");
    await page.getByLabel("and duration").fill("5m");
    await choose(page, "Apply");
    await lastTurn(page).getByRole("alert").getByText("Say a number, such as 5 min 30 s.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Value of duration").fill("0:30");
    await choose(page, "Apply");
    await chip(page, "duration at least 30 s").waitFor();
    await chip(page, "duration at most 5 min").waitFor();

    await filterBy("tag");
    await choose(page, "tag");
    await choose(page, "utm_source");
    await choose(page, "google");
    await chip(page, "tag utm_source is google").waitFor();
    await filterBy("calls");
    await page.getByRole("list", { name: "Figure of each campaign" }).getByRole("button").first().click();
    await page.getByLabel("Value of calls").fill("1");
    await choose(page, "Apply");
    await chip(page, "calls over 1").click();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
    await choose(page, "Remove");
    await expect.poll(() => chip(page, "calls over 1").count()).toBe(0);
  });

  it("is found again at the side, told whether it was right, and deleted", async () => {
    const question = `calls by state ${options.viewport.width === phone.width ? "yesterday" : "last week"}`;
    const { page, ask } = await visit(options);
    const turn = await ask(question);
    await turn.getByRole("button", { name: "Yes", exact: true }).click();
    await turn.getByText("will be read this way from now on").waitFor();
    await page.reload();
    const isNarrow = options.viewport.width === phone.width;
    const list = page.getByRole("button", { name: "Conversations" });
    if (isNarrow) await list.click();
    const panel = page.getByRole("navigation", { name: "Conversations" });
    await panel.getByRole("button", { name: question, exact: true }).click();
    await page.getByRole("article", { name: question }).getByText("How this was worked out").waitFor();
    if (isNarrow) await list.click();
    const row = panel.getByRole("button", { name: question, exact: true });
    const search = panel.getByLabel("Search your conversations");
    await search.fill("nobody asked this");
    await panel.getByText("None of your conversations has this in it.").waitFor();
    expect(await violations(page)).toEqual([]);
    await search.fill(question.toUpperCase());
    await row.waitFor();
    await search.fill("");
    await row.waitFor();
    expect(await violations(page)).toEqual([]);
    await panel.getByRole("button", { name: `Delete: ${question}` }).click();
    await panel.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.poll(() => panel.getByRole("button", { name: question, exact: true }).count()).toBe(0);
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
  });
});

describe("the keyboard", () => {
  it("walks the chips, opens one and closes it, and finds the box from anywhere", async () => {
    const { page, box, ask } = await visit();
    const focused = (): Promise<unknown> =>
      page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent");
    await ask("revenue by campaign last month");
    await chip(page, "revenue").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toBe("Filter…");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Find what to filter by");
    await page.keyboard.type("conv");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("yes");
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("Filter…");
    await page.keyboard.press("/");
    await page.keyboard.type("a/b");
    expect(await box.inputValue()).toBe("a/b");
    await lastTurn(page).getByRole("button", { name: "Table", exact: true }).focus();
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toBe("Bars");
    await page.keyboard.press("Control+k");
    expect(await page.evaluate("document.activeElement.id")).toBe("question");
  });
});

describe("a chip's choices", () => {
  it("are closed by Escape from the instant in which they appear", async () => {
    const { page, ask } = await visit();
    await ask("revenue by campaign last month");
    await pressAtOnce(page, ".chip-editor", "Escape");
    await chip(page, "revenue").click();
    await expect.poll(() => page.locator(".chip-editor").count()).toBe(0);
    expect(await chip(page, "revenue").getAttribute("aria-expanded")).toBe("false");
  });
});

describe("a conversation that is deleted", () => {
  it("does not come back with a list that was asked for before and comes late", async () => {
    const { page, ask } = await visit();
    const question = "calls by target last week";
    await ask(question);
    const remove = page.getByRole("button", { name: `Delete: ${question}` });
    await remove.waitFor();
    const lists = "**/reporting_ai/sessions?*";
    const held: (() => Promise<void>)[] = [];
    const hold = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      held.push(async () => {
        await route.fulfill({ response });
        await (await route.request().response())?.finished();
      });
    };
    await page.route(lists, hold, { times: 1 });
    await ask("by campaign instead");
    await expect.poll(() => held.length).toBe(1);
    await remove.click();
    await expect.poll(() => remove.count()).toBe(0);
    await held[0]?.();
    // What is asked for after it is here after it.
    await page.evaluate("fetch('/page/session').then((answer) => answer.text())");
    expect(await remove.count()).toBe(0);
  });
});

describe("the SQL of an answer", () => {
  it("can be changed and run, and a refusal says why", async () => {
    const { page, ask } = await visit();
    const turn = await ask("calls by campaign last month");
    await turn.getByText("How this was worked out").click();
    await turn.getByRole("button", { name: "Edit and run" }).click();
    const text = turn.getByLabel("SQL to run");
    await text.fill("SELECT count(*) AS all_calls FROM calls");
    await turn.getByRole("button", { name: "Run", exact: true }).click();
    await turn.getByRole("columnheader", { name: "All calls" }).waitFor();
    await text.fill("DELETE FROM calls");
    await text.press("Control+Enter");
    await turn.locator(".sql-runner .notice").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
