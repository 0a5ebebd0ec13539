import { describe, expect, it } from "vitest";
import type { Resource } from "../../../api/config/registry.ts";
import { destinationOf } from "../../../api/routing/destination.ts";

describe("a target that is dialed", () => {
  it.each([
    [undefined, 30],
    [0, 30],
    [1, 1],
    [600, 600],
    [100_000, 600],
  ])("with a connection_timeout of %s rings for %s seconds", (connection_timeout, timeout_seconds) => {
    const target = { id: "t", type: "number", number: "+18885550101", connection_timeout } as Resource<"target">;
    expect(destinationOf(target)).toMatchObject({ timeout_seconds });
  });
});
