import { describe, expect, it } from "vitest";
import { resourceOf } from "../../../api/mcp/resource-metadata.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

describe("the metadata of a protected resource", () => {
  it.each([
    ["the platform", wellKnown, undefined, ""],
    ["its endpoint for tools", `${wellKnown}/mcp`, undefined, "/mcp"],
    ["another resource", `${wellKnown}/other`, undefined, null],
    ["the platform below a path of its proxy", `${wellKnown}/reports`, "https://a.example/reports", ""],
    ["its endpoint below that path", `${wellKnown}/reports/mcp`, "https://a.example/reports", "/mcp"],
    ["its endpoint, the path taken off by the proxy", `${wellKnown}/mcp`, "https://a.example/reports", "/mcp"],
    ["another path of the proxy", `${wellKnown}/others/mcp`, "https://a.example/reports", null],
  ])("is that of %s", (_what, path, publicUrl, resource) => {
    expect(resourceOf(path, "/mcp", publicUrl)).toBe(resource);
  });
});
