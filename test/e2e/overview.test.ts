import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { anEmptyOverview, anOverview, withReports } from "./canned-overview.ts";
import { violations } from "./demo-visits.ts";
import { useVisits } from "./visit.ts";

const visit = useVisits();
const hash = "";

const looks = [
  ["a desktop, light", { viewport: desktop, colorScheme: "light" }],
  ["a desktop, dark", { viewport: desktop, colorScheme: "dark" }],
  ["a phone, light", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "light" }],
  ["a phone, dark", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const;

const figure = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name} today: `) });
const region = (page: Page, name: string) => page.getByRole("region", { name });
const widthOf = (page: Page) => page.evaluate("document.documentElement.scrollWidth");

describe.each(looks)("the overview on %s", (_look, options) => {
  it("is what the page opens, tells the day, and what to attend to", async () => {
    const { page } = await visit({ hash, reducedMotion: "reduce", ...options });
    await figure(page, "Calls").getByText("57").waitFor();
    expect(await page.title()).toBe("Overview – Trunkline");
    expect(await page.getByRole("list", { name: "Today" }).getByRole("listitem").first().innerText()).toMatch(
      /Calls\s+57\s+Yesterday by now\s+40\s+\+43%\s+Last Monday by now\s+60\s+-5%/,
    );
    await page.getByText("Monday, Nov 9, 2026, 10:30:00, America/New_York").waitFor();
    await page.getByRole("link", { name: "3 live calls" }).waitFor();
    await page.getByRole("img", { name: "110 today so far, 276 all day Last Monday" }).waitFor();
    await region(page, "Failed calls by reason").getByText("No destination could take the call").waitFor();
    await region(page, "Webhooks").getByText("Failing since Nov 9, 10:00").waitFor();
    await region(page, "Caps nearly used").getByText("10 of 10 connected calls today, until Nov 10, 00:00").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await widthOf(page)).toBe(options.viewport.width);
  });

  it("is of another day where one is chosen, whole and against the days before it, and of today again", async () => {
    const { page, server } = await visit({ hash, reducedMotion: "reduce", ...options });
    await figure(page, "Calls").getByText("57").waitFor();
    expect(server.overview.day).toBeUndefined();
    server.overview.answer = anOverview({
      periods: {
        today: { from: "2025-01-08T05:00:00.000Z", to: "2025-01-09T05:00:00.000Z" },
        yesterday: { from: "2025-01-07T05:00:00.000Z", to: "2025-01-08T05:00:00.000Z" },
        last_week: { from: "2025-01-01T05:00:00.000Z", to: "2025-01-02T05:00:00.000Z" },
      },
    });
    await page.getByLabel("Another day").fill("2025-01-08");
    await page.getByText("Wednesday, Jan 8, 2025, America/New_York").waitFor();
    expect([server.overview.day, new URL(page.url()).hash]).toEqual(["2025-01-08", "#overview?day=2025-01-08"]);
    expect(await page.getByRole("list", { name: "Jan 8, 2025" }).getByRole("listitem").first().innerText()).toMatch(
      /Calls\s+57\s+The day before\s+40\s+\+43%\s+The Wednesday before\s+60\s+-5%/,
    );
    await page.getByRole("img", { name: "110 that day, 276 all day The Wednesday before" }).waitFor();
    const failures = region(page, "Failed calls by reason").getByRole("list").getByRole("link").first();
    expect(await failures.getAttribute("href")).toContain(
      "hours=between&from=2025-01-08T05%3A00&to=2025-01-09T05%3A00",
    );
    expect(await violations(page)).toEqual([]);
    expect(await widthOf(page)).toBe(options.viewport.width);
    await page.reload();
    await page.getByText("Wednesday, Jan 8, 2025, America/New_York").waitFor();
    await page.getByRole("navigation", { name: "Day" }).getByRole("link", { name: "Today" }).click();
    await figure(page, "Calls").waitFor();
    await expect.poll(() => server.overview.day).toBeUndefined();
  });

  it("of an organization without calls says zero as zero, and shows the way to the first one", async () => {
    const { page, server } = await visit({
      hash: "#deliveries",
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    });
    server.overview.answer = anEmptyOverview();
    await page.getByRole("link", { name: "Overview" }).click();
    const steps = region(page, "First steps");
    await steps.getByText("Add the number").waitFor();
    expect(await steps.locator("summary").first().innerText()).toMatch(/^Done:\s+Add the number$/);
    const open = steps.locator("details[open]");
    expect(await open.locator("summary").innerText()).toMatch(/^To do:\s+Add a publisher$/);
    await open.getByRole("button", { name: "Copy" }).click();
    await open.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("/api/v1/publishers");
    expect(await figure(page, "Calls").innerText()).toBe("0");
    expect(await figure(page, "Conversion").innerText()).toBe("–");
    await page.getByText("No call with a campaign yet today.").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await widthOf(page)).toBe(options.viewport.width);

    const known = { id: "pub-1", name: "First publisher" };
    const { first_steps: before } = anEmptyOverview();
    server.overview.answer = { ...anEmptyOverview(), first_steps: { ...before, publisher: known } };
    await open.getByText("Add a buyer").waitFor();
  });
});

describe("the figures of the overview", () => {
  it("are new within seconds, without anything else moving", async () => {
    const { page, server } = await visit({ hash });
    await figure(page, "Calls").getByText("57").waitFor();
    const placesOf = () =>
      page.locator("main section, main li.panel").evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
    const places = await placesOf();
    const { today } = anOverview().reports ?? expect.fail();
    server.overview.answer = withReports({ today: { ...today, calls: 1058, revenue: 21_458.25 } });
    await figure(page, "Calls").getByText("1,058").waitFor();
    expect(await figure(page, "Revenue").innerText()).toBe("$21,458.25");
    expect(await placesOf()).toEqual(places);
  });

  it("stay while they cannot be read, with why, and come again by themselves", async () => {
    const { page, server } = await visit({ hash });
    await figure(page, "Calls").getByText("57").waitFor();
    server.overview.status = 503;
    await page.getByRole("alert").getByText("The reports are not available right now.").waitFor();
    expect(await figure(page, "Calls").innerText()).toBe("57");
    expect(await violations(page)).toEqual([]);
    server.overview.status = 200;
    server.overview.answer = anOverview({ live_calls: 4 });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "4 live calls" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("that are not known are not shown as zero, beside what is", async () => {
    const { page, server } = await visit({ hash: "#ask" });
    server.overview.answer = anOverview({ reports: null });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("The figures of calls cannot be read now").waitFor();
    expect(await figure(page, "Calls").innerText()).toBe("–");
    await page.getByRole("link", { name: "3 live calls" }).waitFor();
    await region(page, "Top buyers").getByText("Not known now.").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("are said to lack what is still being loaded", async () => {
    const { page, server } = await visit({ hash: "#ask" });
    server.overview.answer = anOverview({ loading_since: "2026-11-09T15:12:00.000Z" });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("Records since Nov 9, 2026, 10:12").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("are not read while nobody sees them", async () => {
    const { page, server } = await visit({ hash });
    await figure(page, "Calls").waitFor();
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    const { reads } = server.overview;
    await page.clock.install();
    await page.clock.runFor(20_000);
    // One may have been on its way.
    expect(server.overview.reads).toBeLessThanOrEqual(reads + 1);
  });
});

describe("the way from the overview", () => {
  it("leads from a figure to its question, and back", async () => {
    const { page, server } = await visit({ hash });
    server.failNext({ status: 503, body: {} });
    await page.getByRole("link", { name: /^Last Monday by now\s+60/ }).click();
    await page.getByRole("article", { name: "calls today vs last week", exact: true }).waitFor();
    expect(server.asked[0]?.question).toMatchObject({
      query: "calls today vs last week",
      plan: { measures: ["calls"], compare: { from: "2026-11-02T05:00:00.000Z", to: "2026-11-02T15:30:00.000Z" } },
    });
    await page.goBack();
    await figure(page, "Calls").getByText("57").waitFor();
  });

  it("leads from an hour's bar to the calls of that hour", async () => {
    const { page } = await visit({ hash });
    await figure(page, "Calls").getByText("57").waitFor();
    await page.locator(".hours-plot g").nth(9).click();
    await expect
      .poll(() => new URL(page.url()).hash)
      .toBe("#calls?hours=between&from=2026-11-09T14%3A00&to=2026-11-09T15%3A00");
  });

  it("leads to the calls that are live, that failed for a reason, and that a cap counts", async () => {
    const { page } = await visit({ hash });
    const hrefOf = (name: string) => page.getByRole("link", { name }).getAttribute("href");
    expect(await hrefOf("3 live calls")).toBe("#calls?status=live");
    expect(await hrefOf("No destination could take the call")).toBe(
      "#calls?hours=today&status=failed&reason=no_eligible_route",
    );
    expect(await hrefOf("Sunny Roofs")).toBe("#calls?hours=today&target=tgt-1");
    expect(await hrefOf("Bidder")).toBe("#calls?hours=today&rtb=rtb-1");
    await page.getByRole("button", { name: "2 things need attention" }).press("Enter");
    await expect
      .poll(() => region(page, "Webhooks").evaluate((all) => all.getBoundingClientRect().top))
      .toBeLessThan(desktop.height);
  });

  it("leads to the question box by its key", async () => {
    const { page, box } = await visit({ hash });
    await figure(page, "Calls").waitFor();
    await page.keyboard.press("/");
    await box.waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("question");
    expect(await box.inputValue()).toBe("");
  });
});

describe("the first view", () => {
  it("is light: no charts are loaded, and all that it runs and is styled by is under its budget", async () => {
    const { page, server } = await visit({ hash });
    await figure(page, "Calls").getByText("57").waitFor();
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    const files = loaded.filter((name) => /\.(js|css)$/.test(name));
    expect(files.length).toBeGreaterThan(1);
    expect(files.every((name) => name.startsWith(`${server.url}assets/`))).toBe(true);
    // Neither the drawing code nor another view's.
    expect(files.filter((name) => /\/(embed|[\w-]+-view)-/.test(name))).toEqual([]);
    const bodies = await Promise.all(files.map(async (name) => Buffer.from(await (await fetch(name)).arrayBuffer())));
    const sizes = bodies.map((body) => gzipSync(body).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });
});
