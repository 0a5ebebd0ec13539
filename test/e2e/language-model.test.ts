import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planReply, planStep } from "../assistant/llm/llm-assistant.ts";
import { openOpenAiServer, type Step } from "../assistant/llm/openai-server.ts";
import { desktop, phone } from "./browser.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const steps: Step[] = [];
let model: Awaited<ReturnType<typeof openOpenAiServer>>;
beforeAll(async () => {
  model = await openOpenAiServer(steps);
});
afterAll(() => model.close());

const visit = useDemoVisits(() => ({
  OPENAI_API_KEY: "sk-scripted",
  OPENAI_BASE_URL: model.url,
  ASSISTANT_DEADLINE_SECONDS: "60",
  ASSISTANT_SUMMARY: "true",
}));

/** What the model does with the next requests. */
const next = (...given: readonly Step[]): void => {
  steps.length = model.requests.length;
  steps.push(...given);
};

describe.each([
  ["a desktop", { viewport: desktop }],
  ["a phone in the dark", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const)("a language model's answer on %s", (_size, options) => {
  it("stands beside the rules' reading, which can be taken", async () => {
    const { page, ask } = await visit(options);
    next(planStep(), planStep());
    const turn = await ask("calls from Texas");
    const said = await turn.locator(".answer").textContent();
    expect(said).toContain("does not use “Texas” of the question. The language model left out “state is TX”");
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
    const other = turn.getByText("Read by the built-in rules:").getByRole("button");
    const summary = (await other.textContent()) ?? "";
    await other.click();
    const taken = page.getByRole("article", { name: summary }).last();
    await taken.getByRole("button", { name: "state is TX" }).waitFor();
  });

  it("is read along while it is written; cancelling ends the request to it, and the question can be asked again", async () => {
    const { page, box } = await visit(options);
    const reading = "Calls of this month by the hour of their beginning.";
    const written = { ...planReply(), reading };
    next({ arguments: written, letters: JSON.stringify(written).indexOf("beginning") }, { arguments: written });
    const { aborted } = model;
    await box.fill("so how do our calls go?");
    await box.press("Enter");
    const turn = page.getByRole("article").last();
    await turn.getByText("Calls of this month by the hour of").waitFor();
    expect(await turn.getByText("beginning").count()).toBe(0);
    await turn.getByRole("button", { name: "Cancel" }).click();
    await turn.getByText("Cancelled before the answer came.").waitFor();
    await expect.poll(() => model.aborted).toBe(aborted + 1);
    await turn.getByRole("button", { name: "Ask again" }).click();
    await turn.getByText("How this was worked out").waitFor();
  });

  it("that cannot be used is the rules', and says so", async () => {
    const { page, ask } = await visit(options);
    const prose: Step = { message: { content: "I would rather not." } };
    next(prose, prose, prose, { arguments: { summary: "One campaign leads by far." } });
    const turn = await ask("calls by campaign last month");
    expect(await turn.locator(".answer").textContent()).toContain(
      "The language model gave no answer that can be used, so the built-in rules read this question.",
    );
    await turn.getByRole("columnheader", { name: "Campaign" }).waitFor();
    await turn.getByText("In the language model's words: One campaign leads by far.").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("is given with the organization's own words, which are written on the page", async () => {
    const { page, ask } = await visit(options);
    if (options.viewport === phone) await page.getByRole("button", { name: "Conversations" }).click();
    await page.getByText("Your organization's words").click();
    const words = `A whale is a buyer of over $1,000 ${_size}.`;
    await page.getByLabel("Glossary and rules").fill(words);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved: questions are read by them from now on.").waitFor();
    if (options.viewport === phone) await page.keyboard.press("Escape");
    next(planStep());
    await ask("how many calls do the whales take");
    const told = JSON.parse(model.requests.at(-1)?.body.messages[1].content);
    expect(told).toMatchObject({ organization_instructions: words });
  });
});
