import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { phone } from "./browser.ts";
import { drawnChart, pressAtOnce, styleOf, useVisits } from "./visit.ts";

const visit = useVisits();

const oneNumber = "How many calls did we get last month?";
const byPublisher = "Which publishers brought the most revenue last month?";

const violations = async (page: Page): Promise<readonly string[]> => {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" ")}`);
};

const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement.textContent || document.activeElement.id");

/** Presses Tab until the element with this text has the focus; a trap or a missing stop fails. */
const tabTo = async (page: Page, text: string): Promise<void> => {
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await focused(page)) === text) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach "${text}"`);
};

describe.each(["light", "dark"] as const)("axe in the %s scheme", (colorScheme) => {
  it.each([
    ["desktop", {}],
    ["phone", { viewport: phone }],
  ])("finds nothing on a %s, from the start to a full conversation", async (_size, options) => {
    const { page, server, ask } = await visit({ colorScheme, reducedMotion: "reduce", ...options });
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    expect(await violations(page)).toEqual([]);
    const turn = await ask(byPublisher);
    await drawnChart(turn);
    await turn.getByText("How this was worked out").click();
    await (await ask("Who is the best publisher?")).getByText("By what should").waitFor();
    server.failNext({ status: 503, body: {} });
    await (await ask("Calls from Wyoming yesterday")).getByRole("alert").waitFor();
    await (await ask(oneNumber)).locator("dd").first().waitFor();
    await (await ask("slow question")).getByRole("button", { name: "Cancel" }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("finds nothing on the form that asks for a token", async () => {
    const { page } = await visit({ colorScheme, script: { mode: "token" } });
    await page.getByLabel("Access token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("was not accepted").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describe("the keyboard alone", () => {
  it("asks, keeps the focus in the box, and recalls earlier questions", async () => {
    const { page, turn } = await visit();
    await expect.poll(() => focused(page)).toBe("question");
    await page.keyboard.type(oneNumber);
    await page.keyboard.press("Enter");
    await turn(oneNumber).locator("dd").first().waitFor();
    expect(await focused(page)).toBe("question");
    await page.keyboard.type("a draft");
    await page.keyboard.press("ArrowUp");
    const box = page.getByLabel("Ask about your calls");
    expect(await box.inputValue()).toBe(oneNumber);
    await page.keyboard.press("ArrowDown");
    expect(await box.inputValue()).toBe("a draft");
    await page.keyboard.press("Shift+Enter");
    expect(await box.inputValue()).toBe("a draft\n");
  });

  it("walks through choices from the instant in which they appear", async () => {
    const { page, ask } = await visit();
    await pressAtOnce(page, ".choices .chips button", "ArrowRight");
    await (await ask(oneNumber)).getByText("Ask next").waitFor();
    expect(await focused(page)).toBe("What about the month before?");
  });

  it("reaches sorting, the SQL and the follow-ups, and works them", async () => {
    const { page, ask, turn } = await visit();
    const first = await ask(byPublisher);
    await first.getByText("Ask next").waitFor();
    await page.getByRole("button", { name: "New conversation" }).focus();
    await tabTo(page, "Publisher");
    await page.keyboard.press("Enter");
    expect(await first.getByRole("columnheader", { name: "Publisher" }).getAttribute("aria-sort")).toBe("ascending");
    await tabTo(page, "How this was worked out");
    await page.keyboard.press("Space");
    await first.locator("pre").waitFor();
    await tabTo(page, "By publisher instead");
    await page.keyboard.press("Enter");
    await turn("By publisher instead").getByRole("table").waitFor();
    expect(await focused(page)).toBe("question");
  });

  it("gets past the panel at the side, and back to the box when a conversation begins anew", async () => {
    const { page, ask } = await visit();
    await (await ask(byPublisher)).getByText("Ask next").waitFor();
    await page.getByRole("button", { name: "New conversation" }).focus();
    await tabTo(page, "Skip to the conversation");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
    await page.getByRole("button", { name: "New conversation" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("question");
  });

  it("goes to the rows that “Show all” brings", async () => {
    const { page, ask } = await visit();
    const turn = await ask("Calls per day by campaign in October");
    await turn.getByRole("button", { name: "Show all 124 rows" }).press("Enter");
    await expect.poll(() => turn.locator("tbody tr").count()).toBe(124);
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Rows");
  });

  it("comes to nothing that stands behind the question box", async () => {
    const { page, box, ask } = await visit({ viewport: phone });
    const turn = await ask(byPublisher);
    await drawnChart(turn);
    const stop = turn.getByText("How this was worked out");
    await stop.focus();
    await page.keyboard.press("Shift+Tab");
    await stop.evaluate((summary) => scrollBy(0, summary.getBoundingClientRect().bottom - innerHeight + 20));
    const top = async (of: Locator) => (await of.boundingBox())?.y ?? 0;
    expect(await top(stop)).toBeGreaterThan(await top(box));
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("How this was worked out");
    await expect.poll(async () => (await top(stop)) < (await top(box))).toBe(true);
  });
});

describe("a phone", () => {
  it("fits every kind of answer into its width", async () => {
    const { page, ask } = await visit({ viewport: phone, hasTouch: true, isMobile: true });
    const questions = [byPublisher, "Calls per day by campaign in October", "When do people call?", oneNumber];
    for (const question of questions) await (await ask(question)).getByText("Ask next").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
  });

  it("does not raise its keyboard over an answer", async () => {
    const { page, turn } = await visit({ viewport: phone, hasTouch: true, isMobile: true });
    await page.getByRole("button", { name: oneNumber }).tap();
    await turn(oneNumber).locator("dd").first().waitFor();
    expect(await focused(page)).not.toBe("question");
  });

  it("brings a new question to the top of the window", async () => {
    const { page, ask } = await visit({ viewport: phone, hasTouch: true, isMobile: true });
    await drawnChart(await ask(byPublisher));
    const turn = await ask(oneNumber);
    await turn.locator("dd").first().waitFor();
    const bar = (await page.getByRole("banner").boundingBox())?.height ?? 0;
    await expect.poll(async () => Math.abs(((await turn.boundingBox())?.y ?? 0) - bar)).toBeLessThan(3);
  });
});

describe("paper", () => {
  it("gets the answers in ink on white, without the controls, even from the dark scheme", async () => {
    const { page, ask } = await visit({ colorScheme: "dark" });
    const turn = await ask(byPublisher);
    await drawnChart(turn);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect.poll(() => styleOf(page, ".answer", "color")).toBe("rgb(26, 32, 35)");
    await expect.poll(() => styleOf(page, ".mark-rect path", "fill")).toBe("rgb(15, 118, 107)");
    expect(await page.getByLabel("Ask about your calls").isVisible()).toBe(false);
    expect(await turn.getByRole("button", { name: "Copy CSV" }).isVisible()).toBe(false);
  });

  it("gets a heat map in the light scheme's colours from the dark one, and no other", async () => {
    const heatMap = async (colorScheme: "light" | "dark") => {
      const { page, ask } = await visit({ colorScheme });
      return {
        page,
        cells: (await drawnChart(await ask("When do people call?"))).locator(".mark-rect.role-mark path"),
      };
    };
    const fillsOf = (cells: Locator) => cells.evaluateAll((all) => all.map((cell) => cell.getAttribute("fill")));
    const light = await fillsOf((await heatMap("light")).cells);
    const { page, cells } = await heatMap("dark");
    const shown = cells.filter({ visible: true });
    const dark = await fillsOf(shown);
    expect(dark).not.toEqual(light);
    // It is there before it is printed: printing waits for no drawing.
    expect(await fillsOf(cells.filter({ visible: false }))).toEqual(light);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect.poll(() => fillsOf(shown)).toEqual(light);
    expect(dark).toHaveLength(light.length);
  });

  it("gets every row, and the page keeps to its first ones until then", async () => {
    const { page, ask } = await visit();
    const rows = (await ask("Calls per day by campaign in October")).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(20);
    await page.pdf();
    expect(await rows.count()).toBe(124);
  });

  it("gets every row of an answer that has only just come", async () => {
    const { page, ask } = await visit();
    await page.evaluate(() => {
      const asks = new MutationObserver(() => {
        if (document.querySelector("tbody tr") === null) return;
        asks.disconnect();
        dispatchEvent(new Event("beforeprint"));
      });
      asks.observe(document.body, { childList: true, subtree: true });
    });
    const rows = (await ask("Calls per day by campaign in October")).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(124);
  });
});
