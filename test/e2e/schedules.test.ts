import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSmtpServer, readParts } from "../smtp-server.ts";
import { desktop, phone } from "./browser.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

let mail: Awaited<ReturnType<typeof openSmtpServer>>;
beforeAll(async () => {
  mail = await openSmtpServer();
});
afterAll(() => mail.close());

const visit = useDemoVisits(() => ({ SMTP_URL: mail.url, MAIL_FROM: "Trunkline <reports@trunkline.example>" }));

const region = (page: Page, name: string) => page.getByRole("region", { name: new RegExp(`^${name} \\w+$`) });
const go = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true }).click();

describe.each([
  ["a desktop", { viewport: desktop }],
  ["a phone in the dark", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }],
] as const)("schedules on %s", (size, options) => {
  it("have a pinned question's answer come by mail with a link back, and are paused, changed and deleted", async () => {
    const { page, ask } = await visit(options);
    const name = `Campaigns on ${size}`;
    const turn = await ask("revenue by campaign last month");
    await turn.getByRole("button", { name: "Save", exact: true }).click();
    await turn.getByLabel("Name").fill(name);
    await page.keyboard.press("Enter");
    await turn.getByText(/saved/i).first().waitFor();

    await go(page, "Board");
    await page.getByLabel("Saved question to pin to your board").selectOption(name);
    const board = page.getByRole("region", { name: "Your board", exact: true });
    await board.getByRole("button", { name: "Pin", exact: true }).click();
    await board.getByRole("link", { name: `Schedule or alert: ${name}` }).click();

    const form = page.getByRole("form", { name: "New schedule" });
    await form.waitFor();
    expect(await form.getByLabel("Saved question").locator("option:checked").textContent()).toBe(name);
    await form.getByLabel("To (addresses by commas)").fill("ann@customer.example");
    expect(await violations(page)).toEqual([]);
    await form.getByRole("button", { name: "Create" }).click();
    const card = region(page, name);
    await card.getByText("Monday to Friday at 08:00, to ann@customer.example.").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);

    const before = mail.received.length;
    await card.getByRole("button", { name: `Send ${name} now` }).click();
    await card.getByText("Sent.", { exact: true }).waitFor();
    await expect.poll(() => mail.received.length).toBe(before + 1);
    const received = mail.received[before];
    expect(received?.to).toEqual(["ann@customer.example"]);
    const text = readParts(received?.source ?? "");
    expect(text).toMatch(/campaign,revenue/);
    await card.getByRole("button", { name: `History of ${name}` }).click();
    await card.getByText("(sent by hand)").waitFor();
    expect(await violations(page)).toEqual([]);

    await card.getByRole("button", { name: `Pause ${name}` }).click();
    await region(page, name).getByText("Paused", { exact: true }).waitFor();
    await card.getByRole("button", { name: `Resume ${name}` }).click();
    await card.getByText("Active", { exact: true }).waitFor();

    await card.getByRole("button", { name: `Change ${name}` }).click();
    const change = page.getByRole("form", { name: `Change ${name}` });
    await change.getByLabel("Send", { exact: true }).selectOption("figure");
    await change.getByLabel("Limit (US dollars)").fill("1000000");
    await change.getByLabel("Look").selectOption("minutes");
    await change.getByRole("button", { name: "Save" }).click();
    await card.getByText(/^Every 15 minutes, when revenue below \$1,000,000.00, to ann/).waitFor();

    await card.getByRole("button", { name: `Delete ${name}` }).click();
    await card.getByRole("button", { name: "Delete", exact: true }).click();
    await card.waitFor({ state: "detached" });

    // The mail's link asks it anew.
    const link = /https?:\/\/\S+#ask\S+/.exec(text)?.[0] ?? "";
    await page.goto(link);
    await page.getByRole("article", { name: "revenue by campaign last month", exact: true }).waitFor();
  });

  it("say what is wrong, and show a new webhook's secret once", async () => {
    const { page, ask } = await visit(options);
    const name = `Calls on ${size}`;
    const turn = await ask("calls yesterday");
    await turn.getByRole("button", { name: "Save", exact: true }).click();
    await turn.getByLabel("Name").fill(name);
    await page.keyboard.press("Enter");
    await turn.getByText(/saved/i).first().waitFor();
    await go(page, "Schedules");
    await page.getByRole("button", { name: "New schedule" }).click();
    const form = page.getByRole("form", { name: "New schedule" });
    await form.getByLabel("Saved question").selectOption(name);
    await form.getByLabel("To (addresses by commas)").fill("nobody");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByRole("alert").getByText("must be an e-mail address").waitFor();
    await form.getByLabel("Send by").selectOption("webhook");
    await form.getByLabel("Address").fill("http://127.0.0.1:9/never");
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByText(/^whsec_/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "I have it" }).click();
    const card = region(page, name);
    await card.getByRole("button", { name: `Send ${name} now` }).click();
    await card.getByText(/^Not sent\./).waitFor();
    await card.getByRole("button", { name: `Delete ${name}` }).click();
    await card.getByRole("button", { name: "Delete", exact: true }).click();
    await card.waitFor({ state: "detached" });
  });
});
