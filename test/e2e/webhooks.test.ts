import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { choosePeriod } from "./choose-period.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();
type Visit = Awaited<ReturnType<typeof visit>>;

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const rowsOf = (page: Page, name: string) => page.getByRole("list", { name, exact: true }).locator(":scope > li");

/** The webhook with most attempts in the last week. */
const busiest = async ({ send }: Visit, direction: "outgoing" | "incoming") => {
  const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
  const { data } = await send("GET", `/api/v1/webhooks/${direction}-stats?limit=200&start_date=${from}`);
  const volume = ({ stats }: { stats: { attempts?: number; requests?: number } }) =>
    stats.attempts ?? stats.requests ?? 0;
  return data.toSorted(
    (one: Parameters<typeof volume>[0], other: Parameters<typeof volume>[0]) => volume(other) - volume(one),
  )[0];
};

describe.each([
  ["a desktop", { viewport: desktop, colorScheme: "dark" }],
  ["a phone", { viewport: phone, hasTouch: true, isMobile: true }],
] as const)("webhooks on %s", (_size, options) => {
  const fits = async (page: Page) => {
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
  };

  it("are listed with their figures, found by name, paused and resumed", async () => {
    const visited = await visit({ hash: "#overview", ...options });
    const { page } = visited;
    const { name } = await busiest(visited, "outgoing");
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Webhooks", exact: true }).click();
    await rowsOf(page, "Outgoing").first().waitFor();
    await fits(page);
    await choosePeriod(page, "Figures of", "Last 7 days to now");
    await expect.poll(() => new URL(page.url()).hash).toBe("#webhooks?hours=168");
    await page.getByLabel("Name").fill(name);
    await region(page, "Outgoing")
      .getByText(/^1 outgoing webhook/)
      .waitFor();
    const row = rowsOf(page, "Outgoing").filter({ hasText: name });
    await row.getByText("Success rate").waitFor();
    await row.getByText(/^\d+(\.\d+)?%$/).waitFor();
    await page.getByRole("button", { name: `Pause ${name}…` }).press("Enter");
    await page.getByLabel("For how long").selectOption("1 hour");
    await fits(page);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await row.getByText(/^Paused on request until .+ by .+\./).waitFor();
    await row
      .getByText(/^(Nothing waits for it\.|[\d,]+ (delivery waits|deliveries wait), the oldest since )/)
      .waitFor();
    await row.getByText("Change this webhook by the API").click();
    await row.getByText(/curl -s -X DELETE ".+\/api\/v1\/outgoing-webhooks\/.+\/pause"/).waitFor();
    await fits(page);
    await page.getByRole("button", { name: `Resume ${name}` }).press("Enter");
    await row.getByText("Active", { exact: true }).waitFor();
    await page.getByLabel("Name").fill("no such name");
    await page.getByText("No outgoing webhook has this in its name.").waitFor();
    await fits(page);
  });

  it("are previewed, tested and sent again, and their deliveries lead to the calls", async () => {
    const visited = await visit({ hash: "#webhooks?hours=168", ...options });
    const { page } = visited;
    const { name } = await busiest(visited, "outgoing");
    await rowsOf(page, "Outgoing").getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    const trial = region(page, "Try it");
    await trial.getByRole("button", { name: "Preview" }).press("Enter");
    await trial.getByText("Nothing was sent.").waitFor();
    await trial
      .locator("pre")
      .getByText(/^POST http/)
      .waitFor();
    await fits(page);
    await trial.getByLabel("Call id").fill("no-such-call");
    await trial.getByRole("button", { name: "Preview" }).click();
    await trial.getByText("The call no-such-call was not found.").waitFor();
    await trial.getByLabel("Call id").fill("");
    await trial.getByRole("button", { name: "Send a test" }).click();
    // The demo's receiver takes most requests.
    await trial.getByText(/^(Delivered|Not delivered): answered \d+ in /).waitFor();
    await fits(page);

    const again = region(page, "Deliver again");
    await again.getByLabel("Those that came through, too").check();
    await choosePeriod(page, "Figures of", "Last hour");
    await again.getByRole("button", { name: "Count them" }).click();
    await again
      .getByRole("status")
      .getByText(/would be sent/)
      .waitFor();
    await choosePeriod(page, "Figures of", "Last 7 days to now");
    await again.getByText("Counting sends nothing.").waitFor();
    await again.getByRole("button", { name: "Count them" }).click();
    await again.getByText(/^[\d,]+ deliveries in the last 7 days to now would be sent again, each once\.$/).waitFor();
    await fits(page);
    await again.getByRole("button", { name: /^Send [\d,]+ again$/ }).click();
    await expect.poll(() => new URL(page.url()).hash).toContain("redelivery=");
    await again.getByText(/^Under way: /).waitFor();
    await fits(page);
    await again.getByRole("button", { name: "Cancel the rest" }).click();
    await again.getByText(/^Cancelled: /).waitFor();
    await page.reload();
    await again.getByText(/^Cancelled: /).waitFor();
    const followed = page.url();
    await page.goto(followed.replace(/&redelivery=.*$/, ""));
    const listed = again.getByRole("list", { name: "Redeliveries" }).getByText(/Cancelled: /);
    await listed.first().waitFor();
    await fits(page);
    await page.goto(followed);
    await again.getByText(/^Cancelled: /).waitFor();

    await rowsOf(page, "Last deliveries").locator("summary").last().press("Enter");
    const opened = rowsOf(page, "Last deliveries").last();
    await opened.getByRole("heading", { name: "Answer" }).waitFor();
    await fits(page);
    await opened.getByRole("link", { name: "Open its call" }).click();
    await page.getByRole("heading", { level: 1, name: /^Call from / }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByRole("link", { name: "All webhooks" }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#webhooks?hours=168");
  });

  it("that are received show what was refused, and their URL to copy", async () => {
    const visited = await visit({ hash: "#webhooks", ...options });
    const { page } = visited;
    const made = await busiest(visited, "incoming");
    await page.getByRole("link", { name: "Incoming", exact: true }).click();
    const row = rowsOf(page, "Incoming").filter({ hasText: made.name }).first();
    await row.getByText("Found their call").waitFor();
    await fits(page);
    await row.getByRole("link", { name: made.name, exact: true }).click();
    await region(page, "URL").getByText(made.url, { exact: true }).waitFor();
    const refused = await fetch(made.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{",
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await region(page, "Figures")
      .getByText(/^Last refusal .+: answered 4\d\d, “.+”$/)
      .waitFor({ timeout: 20_000 });
    const last = rowsOf(page, "Last requests")
      .filter({ hasText: String(refused.status) })
      .first();
    await last.locator("summary").click();
    await last.getByRole("heading", { name: "Answer" }).waitFor();
    await fits(page);
  });
});

type Answer = { data: { delivery_state: string }[]; meta: { total: number }; may_change: boolean };

/** Changes what the server answers of outgoing webhooks, as other organizations and users would be answered. */
const answering = (page: Page, change: (answer: Answer) => object) =>
  page.route("**/v1/webhooks/*-stats?**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });

it("tell of an organization without any how to make the first one", async () => {
  const { page } = await visit();
  await answering(page, (answer) => ({ ...answer, data: [], meta: { ...answer.meta, total: 0 } }));
  await page.goto(new URL("#webhooks", page.url()).href);
  await page.getByRole("heading", { name: "There is no outgoing webhook yet" }).waitFor();
  await page.getByText(/curl -s -X POST ".+\/api\/v1\/outgoing-webhooks"/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Incoming", exact: true }).click();
  await page.getByRole("heading", { name: "There is no incoming webhook yet" }).waitFor();
  await page.getByText(/curl -s -X POST ".+\/api\/v1\/incoming-webhooks"/).waitFor();
  expect(await violations(page)).toEqual([]);
});

it("are looked at alone by those who may change nothing, in each of their states", async () => {
  const { page } = await visit();
  const states = [
    { delivery_state: "failing", failing_since: "2026-11-20T10:00:00Z" },
    { delivery_state: "paused", delivery_reason: "failing", is_paused: true, next_probe_at: "2026-11-24T10:00:00Z" },
    { delivery_state: "paused", delivery_reason: "gone", is_paused: true },
    { attached_to: { count: 0, data: [] } },
    { stats: null },
  ];
  await answering(page, (answer) => ({
    ...answer,
    data: answer.data.map((row, index) => ({ ...row, ...states[index] })),
    may_change: false,
  }));
  await page.goto(new URL("#webhooks", page.url()).href);
  const rows = rowsOf(page, "Outgoing");
  await rows.filter({ hasText: /^Failing.*Failing since Nov 20/ }).waitFor();
  await rows.filter({ hasText: /Paused after failing for long\. One delivery is tried at Nov 24/ }).waitFor();
  await rows.filter({ hasText: "Paused: it answered 410 Gone." }).waitFor();
  await rows.filter({ hasText: "Nothing names it, so it sends nothing." }).waitFor();
  await rows.filter({ hasText: "The figures cannot be read now." }).waitFor();
  await page.getByText("Admins can pause, resume and test.").waitFor();
  expect(await page.getByRole("button", { name: /^(Pause|Resume)/ }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await rows.getByRole("link").first().click();
  await page.getByText("Admins can pause, resume, test and send again.").waitFor();
  expect(await page.getByRole("button", { name: /^(Pause|Resume|Preview|Send a test|Count them)/ }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

it("stay as they were while they cannot be read, and say so", async () => {
  const { page } = await visit({ hash: "#webhooks" });
  await rowsOf(page, "Outgoing").first().waitFor();
  await page.route("**/v1/webhooks/outgoing-stats?**", (route) => route.abort("connectionrefused"));
  await page.getByRole("alert").getByText("The server could not be reached.").waitFor({ timeout: 15_000 });
  await rowsOf(page, "Outgoing").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.unroute("**/v1/webhooks/outgoing-stats?**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await page.goto(new URL("#webhooks/outgoing/no-such", page.url()).href);
  await page.getByRole("heading", { name: "No such webhook" }).waitFor();
  expect(await violations(page)).toEqual([]);
});
