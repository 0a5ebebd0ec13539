import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();

const sizes = [
  ["a desktop", { viewport: desktop }],
  ["a phone in the dark", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const;

const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent");
const hashOf = (page: Page): string => new URL(page.url()).hash;

/** Opens the panel of what was asked before, where it does not stand there already. */
async function openPanel(page: Page) {
  const panel = page.getByRole("navigation", { name: "Conversations" });
  if (page.viewportSize()?.width === phone.width) await page.getByRole("button", { name: "Conversations" }).click();
  await panel.waitFor();
  return panel;
}

describe.each(sizes)("approved questions on %s", (_size, options) => {
  const own = options.viewport === phone ? "profit by buyer last month" : "profit by publisher last month";
  const other = options.viewport === phone ? "payout by buyer last week" : "payout by publisher last week";

  it("are listed, asked again, said to be approved, and taken back once that is confirmed", async () => {
    const { page, ask } = await visit(options);
    const empty = await openPanel(page);
    await empty.getByRole("button", { name: "Approved", exact: true }).click();
    await page.keyboard.press("Escape");
    for (const question of [other, own]) {
      const turn = await ask(question);
      expect(await turn.getByText("Read as approved").count()).toBe(0);
      await turn.getByRole("button", { name: "Yes", exact: true }).click();
      await turn.getByText("will be read this way from now on").waitFor();
    }
    const panel = await openPanel(page);
    await panel.getByRole("button", { name: "Approved", exact: true }).click();
    const rows = panel.getByRole("region", { name: "Approved questions" }).locator("li > button:first-child");
    await expect.poll(async () => (await rows.first().textContent()) ?? "").toMatch(new RegExp(`^${own}.*by you$`));
    expect(await violations(page)).toEqual([]);
    const listed = await rows.count();

    await rows.first().click();
    const again = page.getByRole("article", { name: own, exact: true });
    await again.getByText("Read as approved by you on").waitFor();
    // It begins a conversation of its own.
    expect(await page.getByRole("article").count()).toBe(1);
    expect(await violations(page)).toEqual([]);

    await openPanel(page);
    await panel.getByRole("button", { name: `Take back: ${own}` }).click();
    const asking = panel.getByRole("group", { name: `Take back: ${own}` });
    await expect.poll(() => focused(page)).toBe("Keep");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe(`Take back: ${own}`);
    await page.keyboard.press("Enter");
    await asking.getByRole("button", { name: "Take back" }).click();
    await expect.poll(() => rows.count()).toBe(listed - 1);
    await expect.poll(async () => String(await focused(page))).toMatch(new RegExp(`^${other}`));
    await page.keyboard.press("Escape");
    await again.waitFor();
    expect(await (await ask(own)).getByText("Read as approved").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
  });
});

describe.each(sizes)("saved questions on %s", (_size, options) => {
  const question = options.viewport === phone ? "payout by campaign last month" : "calls by buyer last month";

  it("are named under an answer, listed, renamed, asked again and deleted, by keyboard alone", async () => {
    const { page, ask } = await visit(options);
    const turn = await ask(question);
    await turn.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await expect.poll(() => focused(page)).toBe("Name of the saved question");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("Save");
    await page.keyboard.press("Enter");
    await page.keyboard.type(`For the board, ${question}`);
    await page.keyboard.press("Enter");
    await turn.getByText(`Saved as “For the board, ${question}”.`).waitFor();

    const panel = await openPanel(page);
    await panel.getByRole("button", { name: "Saved", exact: true }).press("Enter");
    const row = panel.getByRole("region", { name: "Saved questions" }).locator("li").first();
    await expect.poll(() => row.locator("button").first().textContent()).toBe(`For the board, ${question}${question}`);
    await row.getByRole("button", { name: "Rename: " }).press("Enter");
    await page.keyboard.type(`Monthly ${question}`);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe(`Rename: Monthly ${question}`);
    expect(await violations(page)).toEqual([]);

    await row.locator("button").first().press("Enter");
    const again = page.getByRole("article", { name: question, exact: true });
    await again.getByText("How this was worked out").waitFor();
    // It begins a conversation of its own.
    expect(await page.getByRole("article").count()).toBe(1);

    await openPanel(page);
    await row.getByRole("button", { name: "Delete: " }).press("Enter");
    await expect.poll(() => focused(page)).toBe("Keep");
    await panel.getByRole("button", { name: "Delete", exact: true }).press("Enter");
    await expect.poll(() => panel.getByText(`Monthly ${question}`).count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
  });
});

describe("a list at the side", () => {
  const page = (from: number, count: number) => ({
    data: Array.from({ length: count }, (_, at) => ({
      id: `q${from + at}`,
      name: `Question ${from + at}`,
      query: "calls",
      created_by: "user:ana",
      moves: true,
      may_change: true,
    })),
    meta: { total: 130, has_more: from + count < 130 },
  });

  it("keeps what it has when more of it cannot be read, says so beside it, and gets it in the end", async () => {
    const { page: open } = await visit();
    let working = false;
    await open.route("**/reporting_ai/saved?*", (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get("offset"));
      if (offset === 0) return route.fulfill({ json: page(0, 100) });
      return working ? route.fulfill({ json: page(100, 30) }) : route.abort("connectionrefused");
    });
    const panel = await openPanel(open);
    await panel.getByRole("button", { name: "Saved", exact: true }).click();
    const rows = panel.locator("li");
    await expect.poll(() => rows.count()).toBe(100);
    await panel.getByRole("button", { name: "Show more" }).press("Enter");
    await panel.getByRole("alert").getByText("The server could not be reached.").waitFor();
    expect(await rows.count()).toBe(100);
    expect(await focused(open)).toBe("Try again");
    expect(await violations(open)).toEqual([]);
    working = true;
    await open.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(130);
    expect(await panel.getByRole("alert").count()).toBe(0);
    await expect.poll(async () => String(await focused(open))).toMatch(/^Question 100/);
  });

  it("can be asked again, and what a colleague saved or approved has nothing to change it by", async () => {
    const { page: open, ask } = await visit();
    const meta = { total: 2, has_more: false };
    const saved = [true, false].map((mine) => ({
      id: mine ? "q1" : "q2",
      name: mine ? "Mine" : "Theirs",
      query: null,
      created_by: "user:ana",
      moves: true,
      may_change: mine,
    }));
    const approvedAt = { approved_by: "user:ana", approved_by_you: false, approved_at: "2026-11-01T00:00:00.000Z" };
    const approved = { id: "a1", ...approvedAt, query: "their question", summary: null, plan: null, may_change: false };
    await open.route("**/reporting_ai/saved?*", (route) => route.fulfill({ json: { data: saved, meta } }));
    await open.route("**/reporting_ai/approved?*", (route) =>
      route.fulfill({ json: { data: [approved], meta: { ...meta, total: 1 } } }),
    );
    const panel = await openPanel(open);
    await panel.getByRole("button", { name: "Saved", exact: true }).click();
    await panel.getByRole("button", { name: "Delete: Mine" }).waitFor();
    expect(await panel.getByRole("button", { name: /: Theirs$/ }).count()).toBe(0);
    expect(await panel.getByRole("button", { name: /: Mine$/ }).count()).toBe(2);
    await panel.getByRole("button", { name: "Approved", exact: true }).click();
    await panel.getByText("their question").waitFor();
    expect(await panel.getByRole("button", { name: /^Take back/ }).count()).toBe(0);
    expect(await violations(open)).toEqual([]);

    await open.route("**/feedback", (route) => {
      const standing = { id: "a1", ...approvedAt };
      return route.fulfill({ json: { remembered: false, not_remembered: "approved_otherwise", approval: standing } });
    });
    const turn = await ask("calls by publisher last month");
    await turn.getByRole("button", { name: "Yes", exact: true }).click();
    await turn.getByText("The question stays as it was approved by ana, which an admin can change.").waitFor();
  });

  it("of which nothing can be read says so, and can be read again", async () => {
    const { page: open } = await visit();
    await open.route("**/reporting_ai/saved?*", (route) => route.abort("connectionrefused"));
    const panel = await openPanel(open);
    await panel.getByRole("button", { name: "Saved", exact: true }).click();
    await panel.getByRole("alert").getByText("The server could not be reached.").waitFor();
    await open.unroute("**/reporting_ai/saved?*");
    await panel.getByRole("button", { name: "Try again" }).click();
    // Other files save questions in the same demo.
    await panel
      .getByText(/saved questions? of your organization|Choose “Save” under an answer/)
      .first()
      .waitFor();
  });
});

describe("what cannot be read", () => {
  it("of values is said where one is typed all the same", async () => {
    const { page, ask } = await visit();
    const turn = await ask("calls by campaign last month");
    await page.route("**/reporting_ai/values?*", (route) => route.abort("connectionrefused"));
    await turn.getByRole("button", { name: "Filter…" }).click();
    await turn.getByRole("button", { name: "state", exact: true }).click();
    await turn.getByRole("alert").getByText("The values could not be read.").waitFor();
    expect(await turn.getByText("No record has such a value.").count()).toBe(0);
  });

  it("by this version of a saved question is said, and what to do", async () => {
    const { page } = await visit();
    const saved = {
      id: "q1",
      name: "Board report",
      query: null,
      created_by: "user:ana",
      moves: false,
      may_change: true,
    };
    const meta = { total: 1, has_more: false };
    await page.route("**/reporting_ai/saved?*", (route) => route.fulfill({ json: { data: [saved], meta } }));
    await page.route("**/reporting_ai/saved/q1", (route) => route.fulfill({ json: { ...saved, plan: null } }));
    await page.getByRole("button", { name: "Saved", exact: true }).click();
    await page.getByRole("button", { name: /^Board report/ }).click();
    await page.getByRole("alert").getByText("“Board report” can no longer be answered").waitFor();
    await page.unroute("**/reporting_ai/saved/q1");
    await page.getByRole("button", { name: /^Board report/ }).click();
    await page.getByRole("alert").getByText("“Board report” is there no more").waitFor();
  });

  it("of a conversation is told where it is seen, and the conversation is not called deleted", async () => {
    const { page, ask } = await visit();
    await ask("calls by target last month");
    await page.getByRole("button", { name: "New conversation" }).click();
    await ask("calls by target last week");
    await page.route("**/messages?*", (route) => route.abort("connectionrefused"));
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.getByRole("button", { name: "calls by target last month", exact: true }).click();
    const notice = page.getByRole("alert").getByText("The server could not be reached.");
    await notice.waitFor();
    // Below the bar, up to its border, where it was far above before.
    const bar = (await page.getByRole("banner").boundingBox())?.height ?? 0;
    await expect.poll(async () => (await notice.boundingBox())?.y ?? 0).toBeGreaterThan(bar - 2);
    await page.getByRole("article", { name: "calls by target last week" }).waitFor();
  });
});

describe("the address", () => {
  it("names the conversation, through reloading, going back, and the other view", async () => {
    const { page, ask } = await visit();
    await ask("calls by hour of day yesterday");
    await expect.poll(() => hashOf(page)).toMatch(/^#ask\/[\w-]+$/);
    const first = hashOf(page);
    await page.getByRole("button", { name: "New conversation" }).click();
    await expect.poll(() => hashOf(page)).toBe("#ask");
    await ask("calls by hour of day last week");
    await expect.poll(() => hashOf(page)).toMatch(/^#ask\/[\w-]+$/);
    const second = hashOf(page);
    expect(second).not.toBe(first);

    await page.reload();
    await page.getByRole("article", { name: "calls by hour of day last week" }).waitFor();
    await page.getByRole("button", { name: "calls by hour of day yesterday", exact: true }).click();
    await page.getByRole("article", { name: "calls by hour of day yesterday" }).waitFor();
    expect(hashOf(page)).toBe(first);
    await page.goBack();
    await page.getByRole("article", { name: "calls by hour of day last week" }).waitFor();
    expect(hashOf(page)).toBe(second);
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("heading", { name: "Webhook deliveries" }).waitFor();
    await page.getByRole("link", { name: "Ask" }).click();
    await page.getByRole("article", { name: "calls by hour of day last week" }).waitFor();
    await expect.poll(() => hashOf(page)).toBe(second);
  });

  it("of a conversation that is nobody's, or a colleague's, says so and how answers are shared", async () => {
    const { page } = await visit();
    await page.goto(new URL("#ask/019aa000-0000-7000-8000-000000000000", page.url()).href);
    await page.getByRole("alert").getByText("That conversation could not be opened").waitFor();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await expect.poll(() => hashOf(page)).toBe("#ask");
    expect(await violations(page)).toEqual([]);
  });

  it.each(sizes)("that “Copy link” gives asks the same for a colleague on %s", async (_size, options) => {
    const copied = async (): Promise<string> => {
      const { page, ask } = await visit({ ...options, permissions: ["clipboard-read", "clipboard-write"] });
      await ask("revenue by campaign last month");
      const turn = await ask("by buyer instead");
      await turn.getByRole("button", { name: "Copy link" }).click();
      await turn.getByRole("button", { name: "Copied" }).waitFor();
      return String(await page.evaluate("navigator.clipboard.readText()"));
    };
    const link = await copied();
    expect(new URL(link).hash).toMatch(/^#link\/[\w-]{12}$/);
    const { page } = await visit(options);
    await page.goto(link);
    const turn = page.getByRole("article", { name: "by buyer instead", exact: true });
    await turn.getByRole("columnheader", { name: "Buyer" }).waitFor();
    await turn.getByText(/^Shared by demo-[a-z]+ on .+\. Last month: [A-Z][a-z]{2} 1 – \d\d, \d{4}\./).waitFor();
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => hashOf(page)).toMatch(/^#ask\/[\w-]+$/);
    await page.reload();
    await turn.getByRole("columnheader", { name: "Buyer" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
  });

  it("that is opened in another month says which one was meant, and shows it", async () => {
    const { page, ask } = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const turn = await ask("revenue by campaign last month");
    await turn.getByRole("button", { name: "Copy link" }).click();
    await turn.getByRole("button", { name: "Copied" }).waitFor();
    const link = String(await page.evaluate("navigator.clipboard.readText()"));
    // As it was shared in a month before: the server's own clock cannot be moved here.
    await page.route("**/reporting_ai/links/*", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const period = { ...body.shared_plan.period, from: "2026-03-01T05:00:00.000Z", to: "2026-04-01T04:00:00.000Z" };
      await route.fulfill({ response, json: { ...body, shared_plan: { ...body.shared_plan, period } } });
    });
    await page.goto(link);
    await page.getByText(/Last month was Mar 1 – 31, 2026 then, and is .+ now\./).waitFor();
    await page.getByText("How this was worked out").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Show it as it was then" }).click();
    const then = page.getByRole("article", { name: "revenue by campaign last month (Mar 1 – 31, 2026)" });
    await then
      .getByText(/Mar 1 – 31, 2026/)
      .last()
      .waitFor();
  });

  it("that has expired says so", async () => {
    const { page } = await visit({ hash: "#link/AAAAAAAAAAAA" });
    await page.getByRole("alert").getByText("This link has expired").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
