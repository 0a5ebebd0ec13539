import { expect, it } from "vitest";
import { usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform();

it("a token's organization is told with its zone, and no other one", async () => {
  const [one, two] = [await join(), await join()];
  await rig().platform.config.saveOrganization({ id: one.id, name: "One", timezone: "America/Denver" });
  await rig().platform.settled();
  const told = async ({ token }: typeof one) =>
    (await one.send("GET", "/v1/organization", { headers: { Authorization: `Bearer ${token}` } })).body;
  expect(await told(one)).toEqual({ id: one.id, name: "One", timezone: "America/Denver" });
  expect(await told(two)).toMatchObject({ id: two.id, timezone: "UTC" });
  expect((await one.get("/v1/organization")).status).toBe(401);
});
