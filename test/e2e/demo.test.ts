import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDemo } from "../api/commands/demo-process.ts";
import { createClient } from "../platform.ts";
import { temporaryFolder } from "../temporary.ts";
import { openBrowser, openPage } from "./browser.ts";
import { drawnChart } from "./visit.ts";

/** The page, the API and the stores as a newcomer meets them: nothing here is canned. */
describe("the page of a running demo", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("signs itself in and answers with a chart, a table and SQL whose figures are the API's", async () => {
    const demo = startDemo(temporaryFolder());
    const { base_url, organizations } = await demo.ready();
    const { page, faults, close } = await openPage(browser, `${base_url}/#ask`);
    const ask = async (question: string) => {
      const box = page.getByLabel("Ask about your calls");
      await box.fill(question);
      await box.press("Enter");
      return page.getByRole("article", { name: question, exact: true }).last();
    };

    const turn = await ask("revenue by campaign last month");
    const chart = await drawnChart(turn);
    const { body } = await createClient(base_url).ask(
      "revenue by campaign last month",
      organizations[0]?.access_token ?? "",
    );
    const campaigns = body.data.rows.map(({ campaign }: { campaign: string }) => campaign);
    expect(await chart.locator("svg .mark-rect path").count()).toBe(campaigns.length);
    expect(await turn.locator("tbody tr td:first-child").allTextContents()).toEqual(campaigns);
    await turn.getByText("How this was worked out").click();
    expect(await turn.locator("pre").textContent()).toBe(body.sql);

    const followUp = await ask("by publisher instead");
    await drawnChart(followUp);
    expect(await followUp.getByRole("columnheader").first().textContent()).toContain("Publisher");

    const refused = await ask("delete all calls");
    await expect.poll(() => refused.getAttribute("aria-busy")).toBe("false");
    expect(await refused.getByRole("table").count()).toBe(0);

    expect(faults).toEqual([]);
    await close();
    await demo.end("SIGTERM");
  });

  it("answers every question that it suggests", async () => {
    const demo = startDemo(temporaryFolder());
    const { base_url } = await demo.ready();
    const { page, faults, close } = await openPage(browser, `${base_url}/#ask`);
    const choices = page
      .locator("main")
      .getByRole("button")
      .filter({ hasText: /\w+ \w+/ });
    await choices.first().waitFor();
    const questions = (await choices.allTextContents()).map((text) => text.trim());
    expect(questions.length).toBeGreaterThan(2);
    for (const question of questions) {
      const box = page.getByLabel("Ask about your calls");
      await box.fill(question);
      await box.press("Enter");
      const turn = page.getByRole("article", { name: question, exact: true }).last();
      await turn.getByText("How this was worked out").waitFor();
    }
    expect(faults).toEqual([]);
    await close();
    await demo.end("SIGTERM");
  });

  it("opens with an overview of which every figure leads to an answer", async () => {
    const demo = startDemo(temporaryFolder());
    const { base_url, organizations } = await demo.ready();
    const { call, get, post } = createClient(base_url);
    const key = organizations[0]?.api_key ?? "";
    // The organization's day may have begun a minute ago.
    const { body: history } = await get("/api/v1/reports/calls?limit=1&status=completed", key);
    const placed = { from: "+12025550171", to: history.data[0].number };
    expect((await post("/telephony/simulator/calls", key, placed)).status).toBe(201);
    const { page, faults, close } = await openPage(browser, `${base_url}/`);
    await page.getByRole("table").first().waitFor();
    const asking = page.locator('main a[href^="#ask?"]');
    const links = await asking.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(new Set(links).size).toBeGreaterThan(20);
    for (const link of new Set(links)) {
      const asked = new URLSearchParams(link.slice("#ask?".length));
      const body = { query: asked.get("question"), plan: JSON.parse(asked.get("plan") ?? "null") };
      const headers = { Authorization: `Bearer ${organizations[0]?.access_token}` };
      const answer = await call("POST", "/reporting_ai/query", headers, body);
      expect([answer.status, answer.body.sql !== ""], link).toEqual([200, true]);
    }
    expect(faults).toEqual([]);
    await close();
    await demo.end("SIGTERM");
  });
});
