import { expect, it } from "vitest";
import { dryRunHash, nothingAsked } from "../../../../assistant/web/hash-location.ts";
import { campaignHash, dryRunBody, listHash, readRouting } from "../../../../assistant/web/routing/routing.ts";

const read = (hash: string) => readRouting(hash.replace("#", ""));

it("is read from the address that links to it", () => {
  expect(read("#routing")).toEqual({ kind: "list", of: "campaign", search: "", offset: 0 });
  expect(read(listHash("target", "a & b", 50))).toEqual({ kind: "list", of: "target", search: "a & b", offset: 50 });
  expect(read("#routing?kind=nonsense&offset=-1")).toMatchObject({ of: "campaign", offset: 0 });
  expect(read(campaignHash("cmp-1"))).toEqual({ kind: "campaign", id: "cmp-1" });
  const asked = { ...nothingAsked, to: "+18005550100", from: "+12125550123", tags: "a=1" };
  expect(read(dryRunHash(asked))).toEqual({ kind: "dry_run", asked });
});

it("asks about an anonymous caller and about now where nothing else is typed", () => {
  expect(dryRunBody({ ...nothingAsked, to: " +18005550100 " })).toEqual({ from: "anonymous", to: "+18005550100" });
  const typed = {
    ...nothingAsked,
    to: "1",
    from: "2",
    state: "NY",
    zip: "10001",
    tags: "a=1, b=x=y",
    at: "2026-11-23T20:00",
  };
  expect(dryRunBody(typed)).toEqual({
    from: "2",
    to: "1",
    caller_state: "NY",
    caller_zip: "10001",
    tags: { a: "1", b: "x=y" },
    at: "2026-11-23T20:00:00Z",
  });
});
