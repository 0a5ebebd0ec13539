import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { choosePeriod } from "./choose-period.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();

describe.each([
  ["a desktop", { viewport: desktop, colorScheme: "dark" }],
  ["a phone", { viewport: phone, hasTouch: true, isMobile: true }],
] as const)("webhook deliveries on %s", (_size, options) => {
  it("are searched, opened, and sent once more", async () => {
    const { page } = await visit(options);
    await page.getByRole("link", { name: "Deliveries" }).click();
    const rows = page.getByRole("list", { name: "Requests" }).getByRole("button");
    await rows.first().waitFor();
    await page.getByLabel("Event").selectOption("call.completed");
    await choosePeriod(page, "When", "Any time");
    await page.getByLabel("Status").selectOption("2xx");
    await expect.poll(() => new URL(page.url()).hash).toContain("status=2xx");
    const shown = async (what: string) => new Set(await rows.locator(what).allTextContents());
    await expect.poll(() => shown("strong")).toEqual(new Set(["call.completed"]));
    await expect.poll(() => shown(".badge")).toEqual(new Set(["200"]));
    expect(await violations(page)).toEqual([]);

    await rows.first().click();
    const record = page.getByRole("region", { name: "The request" });
    await record.getByRole("region", { name: "Request", exact: true }).locator("pre").waitFor();
    await record.getByRole("region", { name: "Answer 200" }).waitFor();
    const attempts = record.getByRole("region", { name: "Attempts" }).getByRole("button");
    // A single attempt is the record itself, and is not listed.
    const before = Math.max(1, await attempts.count());
    await record.getByRole("button", { name: "Send again" }).click();
    // The demo's receiver takes most requests: what it makes of one follows from its times.
    await record.getByText(/^Sent again; answered (200|429|500)\.$/).waitFor();
    await expect.poll(() => attempts.count()).toBeGreaterThan(before);
    expect(await violations(page)).toEqual([]);
    await attempts.first().click();
    await record.getByText("manual").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);

    await page.keyboard.press("Escape");
    await record.waitFor({ state: "detached" });
    await rows.first().click();
    await record.getByRole("heading", { name: "call.completed" }).waitFor();
    if (options.viewport.width === phone.width) await record.getByRole("button", { name: "All requests" }).click();
    else await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("record-row");
    await page.getByRole("button", { name: "Received" }).click();
    await rows.filter({ hasNotText: "call.completed" }).first().waitFor();
    const type = (await rows.locator("strong").last().textContent()) ?? "";
    await page.getByLabel("Type").selectOption(type);
    await expect.poll(() => shown("strong")).toEqual(new Set([type]));
    await rows.first().click();
    await record.getByRole("heading", { name: type }).waitFor();
    expect(await record.getByRole("button", { name: "Send again" }).count()).toBe(0);
  });

  it("of one call are found by its id, in any span, and a link to one leads there", async () => {
    const { page } = await visit(options);
    const { page: colleague } = await visit(options);
    await page.getByRole("link", { name: "Deliveries" }).click();
    const rows = page.getByRole("list", { name: "Requests" }).getByRole("button");
    const record = page.getByRole("region", { name: "The request" });
    const when = page.getByRole("button", { name: /^When/ });
    await when.click();
    await page.getByLabel("From").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Use these dates" }).click();
    await expect.poll(() => new URL(page.url()).hash).toContain("hours=between");
    await rows.first().click();
    await record.getByRole("link", { name: "All that was sent of this call" }).click();
    await expect.poll(() => new URL(page.url()).hash).toContain("text=");
    const call = new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("text") ?? "";
    await expect.poll(() => page.getByLabel("Search call ids").inputValue()).toBe(call);
    await when.getByText("Any time").waitFor();
    await rows.first().click();
    await record.locator("dd", { hasText: call }).waitFor();

    await colleague.goto(page.url());
    const same = colleague.getByRole("region", { name: "The request" });
    await same.locator("dd", { hasText: call }).waitFor();
    await colleague.reload();
    await same.locator("dd", { hasText: call }).waitFor();
    await same.getByRole("button", { name: "Copy link" }).waitFor();
    expect(await colleague.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
  });

  it("that cannot be found are said not to be there", async () => {
    const { page } = await visit(options);
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByLabel("Search call ids, addresses, webhooks, bodies and answers").fill("no such words anywhere");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("No request matches.").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describe("conditions on deliveries", () => {
  it("that are chosen at once are both kept", async () => {
    const { page } = await visit();
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("list", { name: "Requests" }).waitFor();
    await page.evaluate(() => {
      for (const [label, value] of [
        ["Event", "call.completed"],
        ["Status", "2xx"],
      ]) {
        const selects = [...document.querySelectorAll<HTMLSelectElement>("label > select")];
        const select = selects.find(({ labels }) => labels[0]?.firstChild?.textContent === label);
        if (select === undefined) throw new Error(`There is no choice of ${label}.`);
        select.value = value ?? "";
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    const conditions = () => new URLSearchParams(new URL(page.url()).hash.slice("#deliveries?".length));
    await expect.poll(() => Object.fromEntries(conditions())).toEqual({ kind: "call.completed", status: "2xx" });
  });
});

describe("a list of deliveries", () => {
  it("keeps what it has when more of it cannot be read, says so beside it, and gets it in the end", async () => {
    const { page } = await visit();
    await page.goto(new URL("#deliveries?hours=", page.url()).href);
    const rows = page.getByRole("list", { name: "Requests" }).getByRole("button");
    await rows.first().waitFor();
    const before = await rows.count();
    await page.route("**/v1/webhooks/outgoing-requests?*", (route) => route.abort("connectionrefused"));
    await page.getByRole("button", { name: "Show more" }).press("Enter");
    await page.getByRole("alert").getByText("The server could not be reached.").waitFor();
    expect(await rows.count()).toBe(before);
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/v1/webhooks/outgoing-requests?*");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
    expect(await page.getByRole("alert").count()).toBe(0);
    await expect.poll(() => rows.nth(before).evaluate((row) => row.ownerDocument.activeElement === row)).toBe(true);
  });
});

describe("a delivery", () => {
  it("that cannot be opened says why, and is opened by trying again", async () => {
    const { page } = await visit();
    await page.goto(new URL("#deliveries?hours=", page.url()).href);
    const rows = page.getByRole("list", { name: "Requests" }).getByRole("button");
    await rows.first().waitFor();
    await page.route("**/v1/webhooks/**", (route) => route.abort("connectionrefused"));
    await rows.first().click();
    const record = page.getByRole("region", { name: "The request" });
    await record.getByRole("alert").getByText("The server could not be reached.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/v1/webhooks/**");
    await record.getByRole("button", { name: "Try again" }).press("Enter");
    await record.getByRole("button", { name: "Send again" }).waitFor();
  });
});
