import { describe, expect, it } from "vitest";
import type { UserRole } from "../../api/serve/rights.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();

const explained = "Analysts of your organization approve, save and download answers.";
const ofAnalysts = ["Yes", "No", "Save", "CSV", "Parquet"];

/** The demo, whose page signs in a user of this role. */
async function visitAs(role: UserRole) {
  const visited = await visit();
  const { page, send } = visited;
  const { access_token } = await send("POST", "/api/v1/access-tokens", { user: `page-${role}`, role });
  await page.route("**/page/session", async (route) => {
    const response = await route.fetch();
    const session = await response.json();
    const [first] = session.organizations;
    await route.fulfill({ response, json: { ...session, organizations: [{ ...first, access_token }] } });
  });
  await page.reload();
  const go = (name: string) =>
    page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true }).click();
  return { ...visited, go };
}

describe("the page", () => {
  it("lets a viewer ask and link, and says who saves, downloads, schedules, pins, exports and pauses", async () => {
    const { page, ask, go } = await visitAs("viewer");
    const turn = await ask("revenue by campaign last month");
    await turn.getByText(explained).waitFor();
    await turn.getByRole("button", { name: "Copy link" }).waitFor();
    for (const name of ofAnalysts)
      expect([name, await turn.getByRole("button", { name, exact: true }).count()]).toEqual([name, 0]);
    expect(await violations(page)).toEqual([]);

    await go("Schedules");
    await page.getByText("Analysts of your organization create them.").waitFor();
    expect(await page.getByRole("button", { name: "New schedule" }).count()).toBe(0);
    await go("Board");
    await page.getByText("Analysts can pin saved questions.").waitFor();
    await go("Calls");
    await page.getByText("Analysts can export them.").waitFor();
    expect(await page.getByRole("button", { name: /^Export/ }).count()).toBe(0);
    await go("Webhooks");
    await page.getByText(/Admins can pause, resume and test\./).waitFor();
  });

  it("lets an analyst save and download, and no more", async () => {
    const { page, ask, go } = await visitAs("analyst");
    const turn = await ask("revenue by campaign last month");
    for (const name of ofAnalysts) await turn.getByRole("button", { name, exact: true }).waitFor();
    expect(await turn.getByText(explained).count()).toBe(0);
    await go("Calls");
    await page.getByRole("button", { name: "Export as CSV" }).waitFor();
    await go("Webhooks");
    await page.getByText(/Admins can pause, resume and test\./).waitFor();
  });
});
