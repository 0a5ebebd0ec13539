import { expect, it } from "vitest";
import { usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform();

it("a token's organization is told with its zone and what its role may do, and no other one", async () => {
  const [one, two] = [await join(), await join()];
  await rig().platform.config.saveOrganization({ id: one.id, name: "One", timezone: "America/Denver" });
  await rig().platform.settled();
  const told = async ({ token }: typeof one) =>
    (await one.send("GET", "/v1/organization", { headers: { Authorization: `Bearer ${token}` } })).body;
  const { rights, ...organization } = await told(one);
  expect(organization).toEqual({ id: one.id, name: "One", timezone: "America/Denver" });
  expect([rights.includes("questions:write"), rights.includes("reports:write")]).toEqual([true, false]);
  const viewer = (await rig().platform.issueToken?.({ userId: "v", orgId: one.id, role: "viewer" }, 600)) ?? "";
  expect((await told({ ...one, token: viewer })).rights).not.toContain("questions:write");
  expect(await told(two)).toMatchObject({ id: two.id, timezone: "UTC" });
  expect((await one.get("/v1/organization")).status).toBe(401);
});
