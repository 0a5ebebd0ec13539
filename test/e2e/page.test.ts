import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { drawnChart, styleOf, useVisits } from "./visit.ts";

const visit = useVisits();

const oneNumber = "How many calls did we get last month?";
const byPublisher = "Which publishers brought the most revenue last month?";
const byDay = "Calls per day by campaign in October";

const firstColumn = (turn: Locator): Promise<string[]> => turn.locator("tbody td:first-child").allTextContents();

describe("the start", () => {
  it("suggested questions ask themselves", async () => {
    const { page, turn } = await visit();
    await page.getByRole("button", { name: oneNumber }).click();
    await turn(oneNumber).getByText("There were 30,412 calls last month").waitFor();
    expect(await page.getByRole("heading", { name: "What would you like to know?" }).count()).toBe(0);
  });
});

describe("an answer", () => {
  it("has its sentence, its scope, a chart, the rows and the SQL", async () => {
    const { ask } = await visit();
    const turn = await ask(byPublisher);
    await turn.getByRole("status").getByText("Northwind Media brought the most revenue").waitFor();
    await turn.getByText("Oct 1 – Oct 31, 2026, America/New_York").waitFor();
    await drawnChart(turn);
    expect(await turn.getByRole("img").getAttribute("aria-label")).toContain(
      "Bar chart of revenue by publisher, 8 rows",
    );
    expect(await turn.getByRole("row").nth(1).getByRole("cell").allTextContents()).toEqual([
      "Northwind Media",
      "8,120",
      "$91,234.50",
      "31.4%",
      "3\u00a0min\u00a012\u00a0s",
    ]);
    await turn.getByText("How this was worked out").click();
    await turn.getByText("Counts every call that started in October 2026").waitFor();
    await turn.getByText("Planned by the built-in rules").waitFor();
    expect(await turn.locator("pre").textContent()).toContain("SELECT count(*) AS calls\nFROM calls");
  });

  it("of one row is shown as large figures, with the table folded away", async () => {
    const { ask } = await visit();
    const turn = await ask(oneNumber);
    const figures = () => turn.locator("dd").allTextContents();
    await expect.poll(figures).toEqual(["30,412", "+8.2% against 28,107"]);
    expect(await turn.locator(".chart").count()).toBe(0);
    await turn.getByText("As a table").click();
    await turn.getByRole("table").waitFor();
  });

  it("without rows says so and draws nothing", async () => {
    const { ask } = await visit();
    const turn = await ask("Calls from Wyoming yesterday");
    await turn.getByText("There is nothing to show.").waitFor();
    expect(await turn.getByRole("table").count()).toBe(0);
  });

  it("that is a refusal shows neither table nor SQL, and offers what can be asked", async () => {
    const { ask } = await visit();
    const turn = await ask("Delete the Roofing campaign");
    await turn.getByText("I can only read reports").waitFor();
    expect(await turn.getByText("How this was worked out").count()).toBe(0);
    await turn.getByRole("button", { name: "How many calls did each campaign get last month?" }).waitFor();
  });

  it("with several panels fills the width and stays inside it", async () => {
    const { page, ask } = await visit();
    const turn = await ask("Revenue and conversion rate per day in October");
    const chart = await drawnChart(turn);
    const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0;
    const share = async () => (await widthOf(chart.locator("svg"))) / (await widthOf(chart));
    await expect.poll(share).toBeGreaterThan(0.85);
    await expect.poll(share).toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 600, height: 800 });
    await expect.poll(() => widthOf(chart.locator("svg"))).toBeLessThan(600);
  });

  it("changes its chart's colours with the colour scheme", async () => {
    const { page, ask } = await visit({ colorScheme: "light" });
    await drawnChart(await ask(byPublisher));
    const colour = () => styleOf(page, ".mark-rect path", "fill");
    expect(await colour()).toBe("rgb(15, 118, 107)");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(colour).toBe("rgb(95, 203, 184)");
  });
});

describe("the table", () => {
  it("is sorted by its headers and says so to a screen reader", async () => {
    const { ask } = await visit();
    const turn = await ask(byPublisher);
    const header = turn.getByRole("columnheader", { name: "Publisher" });
    await header.getByRole("button").click();
    expect(await header.getAttribute("aria-sort")).toBe("ascending");
    expect((await firstColumn(turn))[1]).toBe("Ad Foundry");
    await header.getByRole("button").click();
    expect((await firstColumn(turn))[0]).toBe("Summit Search Partners");
    await header.getByRole("button").click();
    expect(await header.getAttribute("aria-sort")).toBe("none");
    expect((await firstColumn(turn))[0]).toBe("Northwind Media");
  });

  it("is copied in the order shown, safe for a spreadsheet", async () => {
    const { page, ask } = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const turn = await ask(byPublisher);
    await turn.getByRole("columnheader", { name: "Revenue" }).getByRole("button").dblclick();
    // What the button says of it is there for two seconds.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await turn.getByRole("button", { name: "Copy CSV" }).click();
    await turn.getByRole("button", { name: "Copied" }).waitFor();
    await page.clock.runFor(2_500);
    await turn.getByRole("button", { name: "Copy CSV" }).waitFor();
    const lines = String(await page.evaluate("navigator.clipboard.readText()")).split(/\r?\n/);
    expect(lines[0]).toBe("publisher,calls,revenue,conversion_rate,average_duration");
    expect(lines[1]?.startsWith("'=HYPERLINK(1),1729,15135.75,")).toBe(true);
  });

  it("shows its first rows, all of them on request, and admits that the result was cut", async () => {
    const { ask } = await visit();
    const turn = await ask(byDay);
    await turn.getByText("First 124 rows.").waitFor();
    expect(await turn.locator("tbody tr").count()).toBe(20);
    await turn.getByRole("button", { name: "Show all 124 rows" }).click();
    expect(await turn.locator("tbody tr").count()).toBe(124);
  });
});

describe("a conversation", () => {
  it("follow-ups go with the turns before them, and only the last turn offers any", async () => {
    const { page, server, ask, turn } = await visit();
    await (await ask(oneNumber)).getByText("Ask next").waitFor();
    await page.getByRole("button", { name: "By publisher instead" }).click();
    await turn("By publisher instead").getByRole("table").waitFor();
    expect(server.asked[1]?.question).toEqual({
      query: "By publisher instead",
      origin: "page",
      conversation_history: [{ query: oneNumber, plan: { subject: "calls", measures: ["calls"] } }],
    });
    expect(await page.getByText("Ask next").count()).toBe(1);
  });

  it("a clarification's options are buttons that ask", async () => {
    const { page, ask, turn } = await visit();
    await (await ask("Who is the best publisher?")).getByText("By what should publishers be ranked?").waitFor();
    await page.getByRole("button", { name: "Publishers by revenue last month" }).click();
    await turn("Publishers by revenue last month").getByRole("table").waitFor();
    expect(await page.getByText("By what should publishers be ranked?").count()).toBe(0);
  });

  it("the rules' reading beside a model's is a button that asks by its plan", async () => {
    const { page, server, ask, turn } = await visit();
    const other = "Calls last month (Oct 1 – 31, 2026) where state is TX";
    await (await ask("Calls of our friends in the south")).getByText("Read by the built-in rules").waitFor();
    await page.getByRole("button", { name: other }).click();
    await turn(other).locator("dd").first().waitFor();
    expect(server.asked[1]?.question).toMatchObject({ query: other, plan: { filters: ["TX"] } });
  });

  it("an answer in the making tells how the question was read", async () => {
    const { page, server, box } = await visit();
    await box.fill("streamed calls of last month");
    await box.press("Enter");
    await page.getByText("Calls last month (Oct 1 – 31, 2026)").waitFor();
    server.release();
    await page.getByText("Ask next").waitFor();
  });

  it("the organization's words are read and written at the side", async () => {
    const { page } = await visit();
    const summary = page.getByText("Your organization's words");
    await summary.click();
    const box = page.getByLabel("Glossary and rules");
    await expect.poll(() => box.inputValue()).toBe("West = California");
    await box.fill("West = California and Oregon");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved: questions are read by them from now on.").waitFor();
    await summary.click();
    await summary.click();
    await expect.poll(() => box.inputValue()).toBe("West = California and Oregon");
  });

  it("a new one forgets the old", async () => {
    const { page, server, ask, box } = await visit();
    await (await ask(oneNumber)).locator("dd").first().waitFor();
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await box.fill(byDay);
    await box.press("Enter");
    await page.getByRole("table").waitFor();
    expect(server.asked[1]?.question).toEqual({ query: byDay, origin: "page" });
  });
});
