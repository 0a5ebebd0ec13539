import { describe, expect, it } from "vitest";
import { organizations } from "./fake-server.ts";
import { useVisits } from "./visit.ts";

const visit = useVisits();

const question = "How many calls did we get last month?";

describe("the demo", () => {
  it("signs itself in, and the switch asks for another organization in a new conversation", async () => {
    const { page, server, ask } = await visit();
    await (await ask(question)).locator("dd").first().waitFor();
    await page.getByLabel("Organization").selectOption({ label: "Evergreen Home Services" });
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await expect.poll(() => page.getByLabel("Organization").inputValue()).toBe("org_2");
    await (await ask(question)).locator("dd").first().waitFor();
    expect(server.asked.map((entry) => entry.token)).toEqual(["token-1", "token-2"]);
    await page.reload();
    await expect.poll(() => page.getByLabel("Organization").inputValue()).toBe("org_2");
  });

  it("with one organization names it without a switch", async () => {
    const { page } = await visit({ script: { mode: "demo", organizations: organizations.slice(0, 1) } });
    await page.getByText("Harborview Insurance Group").waitFor();
    expect(await page.getByLabel("Organization").count()).toBe(0);
  });

  it("renews an expired token by itself", async () => {
    const { server, ask } = await visit();
    server.failNext({ status: 401, body: { detail: { code: "unauthorized", message: "expired" } } });
    await (await ask(question)).locator("dd").first().waitFor();
    expect(server.asked).toHaveLength(2);
  });
});

describe("signing in by token", () => {
  const script = { mode: "token" } as const;

  it("refuses a wrong token in words and takes a right one, kept for the tab until signing out", async () => {
    const { page, ask } = await visit({ script });
    const field = page.getByLabel("Access token");
    await field.fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This access token was not accepted.").waitFor();
    await field.fill("Bearer token-1 ");
    await page.getByRole("button", { name: "Sign in" }).click();
    await (await ask(question)).locator("dd").first().waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await field.waitFor();
    expect(await page.evaluate("JSON.stringify([sessionStorage, localStorage])")).not.toContain("token-1");
    await page.reload();
    await field.waitFor();
  });

  it("an expired token leads back to the form, and the conversation is found again", async () => {
    const { page, server, ask, turn } = await visit({ script });
    await page.getByLabel("Access token").fill("token-1");
    await page.keyboard.press("Enter");
    await (await ask(question)).locator("dd").first().waitFor();
    server.refuse("token-1");
    server.accept("token-1-renewed");
    const refused = await ask("Calls per day by campaign in October");
    await refused.getByRole("button", { name: "Sign in again" }).click();
    await page.getByText("Your access token has expired.").waitFor();
    await page.getByLabel("Access token").fill("token-1-renewed");
    await page.keyboard.press("Enter");
    await turn(question).locator("dd").first().waitFor();
    await (await ask("When do people call?")).getByRole("table").waitFor();
  });
});
