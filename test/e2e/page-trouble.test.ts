import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { useVisits } from "./visit.ts";

const visit = useVisits();

const question = "How many calls did we get last month?";
const coded = (code: string, message: string) => ({ detail: { code, message } });

const screens = [
  ["a desktop", { viewport: desktop }],
  ["a phone", { viewport: phone, hasTouch: true, isMobile: true }],
] as const;

/** What it says of itself meanwhile changes with the time. */
const underWay = (turn: Locator) => turn.getByRole("button", { name: "Cancel" }).waitFor();

describe("a slow answer", () => {
  it("shows the time that passes and arrives in its place", async () => {
    const { page, server, ask } = await visit();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const turn = await ask("slow question");
    await turn.getByText("Working on it…").waitFor();
    await page.clock.runFor(1_500);
    await turn.getByText(/^1\.\d s$/).waitFor();
    await page.clock.runFor(3_000);
    await turn.getByText("Still working…").waitFor();
    await page.clock.runFor(6_000);
    await turn.getByText("Taking longer than usual…").waitFor();
    server.release();
    await turn.getByText("There were 30,412 calls last month").waitFor();
  });

  it.each(screens)(
    "can be cancelled by the button on %s, which also ends the request, and asked again",
    async (_on, screen) => {
      const { server, ask } = await visit(screen);
      const turn = await ask("slow question");
      await expect.poll(() => server.asked.length).toBe(1);
      await turn.getByRole("button", { name: "Cancel" }).click();
      await turn.getByText("Cancelled before the answer came.").waitFor();
      await expect.poll(() => server.hungUp).toEqual(["slow question"]);
      await turn.getByRole("button", { name: "Ask again" }).click();
      await underWay(turn);
      await expect.poll(() => server.asked.length).toBe(2);
      server.release();
      await turn.getByText("There were 30,412 calls last month").waitFor();
    },
  );

  it("can be cancelled by Escape", async () => {
    const { ask, box } = await visit();
    const turn = await ask("slow question");
    await underWay(turn);
    await box.press("Escape");
    await turn.getByText("Cancelled before the answer came.").waitFor();
  });

  it("does not come back into a new conversation", async () => {
    const { page, server, ask } = await visit();
    await underWay(await ask("slow question"));
    await expect.poll(() => server.asked.length).toBe(1);
    await page.getByRole("button", { name: "New conversation" }).click();
    await expect.poll(() => server.hungUp).toEqual(["slow question"]);
    expect(await page.getByRole("article").count()).toBe(0);
    await (await ask(question)).locator("dd").first().waitFor();
  });

  it("lets the next question be typed but not sent", async () => {
    const { server, ask, box, turn } = await visit();
    await underWay(await ask("slow question"));
    await box.fill(question);
    await box.press("Enter");
    expect(await box.inputValue()).toBe(question);
    server.release();
    await turn("slow question").locator("dd").first().waitFor();
    await box.press("Enter");
    await turn(question).locator("dd").first().waitFor();
    expect(server.asked.map((entry) => entry.question.query)).toEqual(["slow question", question]);
  });
});

describe("a failure", () => {
  it.each(screens)("says on %s what to do, and the same question can be tried again in place", async (_on, screen) => {
    const { page, server, ask } = await visit(screen);
    server.failNext({ status: 503, body: coded("warehouse_down", "The warehouse does not answer.") });
    const turn = await ask(question);
    await turn.getByRole("alert").getByText("The reports are not available right now.").waitFor();
    await turn.getByText("The warehouse does not answer. Try again in a moment.").waitFor();
    await turn.getByRole("button", { name: "Try again" }).click();
    await turn.locator("dd").first().waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
  });

  it("of the rate limit says how long to wait", async () => {
    const { server, ask } = await visit();
    server.failNext({ status: 429, body: coded("rate_limited", "Too many"), headers: { "retry-after": "12" } });
    await (await ask(question)).getByText("Wait 12 seconds, then try again.").waitFor();
  });

  it("of the question itself gives it back for editing", async () => {
    const { server, ask, box } = await visit();
    const body = { detail: [{ loc: ["body", "query"], msg: "At most 2000 characters", type: "too_long" }] };
    server.failNext({ status: 422, body });
    const turn = await ask(question);
    await turn.getByText("At most 2000 characters. Change it and ask again.").waitFor();
    await turn.getByRole("button", { name: "Edit the question" }).click();
    expect(await box.inputValue()).toBe(question);
  });

  it("of the network is told from a failure of the server", async () => {
    const { page, ask } = await visit();
    await page.route("**/reporting_ai/query", (route) => route.abort("connectionrefused"));
    const turn = await ask(question);
    await turn.getByText("The server could not be reached.").waitFor();
    await page.unroute("**/reporting_ai/query");
    await turn.getByRole("button", { name: "Try again" }).click();
    await turn.locator("dd").first().waitFor();
  });

  it("to understand the server asks to reload the page", async () => {
    const { server, ask } = await visit();
    server.failNext({ status: 200, body: { reply: "a shape this page does not know" } });
    await (await ask(question)).getByText("The server's answer could not be read.").waitFor();
  });

  it("to draw leaves the table, which says the same", async () => {
    const { page, ask } = await visit();
    await page.route("**/assets/embed-*.js", (route) => route.abort());
    const turn = await ask("Which publishers brought the most revenue last month?");
    await turn.getByText("The chart could not be drawn.").waitFor();
    await turn.getByRole("table").waitFor();
  });
});
