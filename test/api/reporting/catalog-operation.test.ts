import { describe, expect, it } from "vitest";
import { catalog } from "../../../assistant/catalog/catalog.ts";
import { usePlatform } from "../use-platform.ts";

const { join } = usePlatform();

describe("the catalog over HTTP", () => {
  it("tells whoever has a token everything that may be asked about", async () => {
    const member = await join();
    const headers = { Authorization: `Bearer ${member.token}` };
    const { status, body } = await member.send("GET", "/reporting_ai/catalog", { headers });
    expect(status).toBe(200);
    for (const { name, measures, dimensions } of catalog) {
      const subject = body.subjects.find((each: { name: string }) => each.name === name);
      const namesOf = (all: readonly { readonly name: string }[]) => all.map((each) => each.name);
      expect(namesOf(subject.measures)).toEqual(namesOf(measures));
      expect(namesOf(subject.dimensions)).toEqual(namesOf(dimensions));
    }
  });
  it("tells nobody else", async () => {
    expect((await (await join()).send("GET", "/reporting_ai/catalog", { headers: {} })).status).toBe(401);
  });
});
