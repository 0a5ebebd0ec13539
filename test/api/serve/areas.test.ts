import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Area, areaNames, areas, keyAreas, type Permission, permissionsOf } from "../../../api/serve/areas.ts";
import type { OperationTag } from "../../../api/serve/operation-text.ts";
import { rightsOfRole, rightsOfScopes, rolesWith, type UserRole, userRoles } from "../../../api/serve/rights.ts";
import { carrierOperations, operations, titleOf } from "../operation-table.ts";

it("every operation is in an area", () => {
  for (const operation of [...operations, ...carrierOperations])
    expect(permissionsOf(operation), titleOf(operation)).not.toEqual([]);
});

it("an operation of a tag without an area is noticed, and used by nobody", () => {
  const tag = "Spaceships" as OperationTag;
  expect(() => permissionsOf({ method: "get", tag, access: "api_key" })).toThrow("tag Spaceships");
});

it("keys can be restricted to the areas that have operations for them, and to no others", () => {
  const ofKeys = operations.filter(({ access }) => access === "api_key" || access === "admin_key");
  const areas = ofKeys.flatMap(permissionsOf).map((each) => each.split(":")[0]);
  expect([...new Set(areas)].sort()).toEqual([...keyAreas].sort());
});

it("a role may all that the one below it may", () => {
  const [viewer, analyst, admin] = [rightsOfRole("viewer"), rightsOfRole("analyst"), rightsOfRole("admin")];
  expect([...viewer].filter((each) => !analyst.has(each))).toEqual([]);
  expect([...analyst].filter((each) => !admin.has(each))).toEqual([]);
  expect(viewer.size).toBeLessThan(analyst.size);
  expect(analyst.size).toBeLessThan(admin.size);
});

it("the guide tells the areas, and what each role may do there", () => {
  const rightIn = (area: Area, role: UserRole) =>
    ["write", "read"].find((right) => rightsOfRole(role).has(`${area}:${right}` as Permission)) ?? "–";
  const rows = areaNames.map((area) => {
    const name = keyAreas.some((each) => each === area) ? `\`${area}\`` : `${area} (users alone)`;
    return `| ${name} | ${areas[area]} | ${userRoles.map((role) => rightIn(area, role)).join(" | ")} |`;
  });
  const table = ["| area | what is in it | viewer | analyst | admin |", "|---|---|---|---|---|", ...rows].join("\n");
  const guide = readFileSync(new URL("../../../api/settings/README.md", import.meta.url), "utf8");
  expect(guide.split(/<!-- \/?rights -->/)[1]?.trim()).toBe(table);
});

it("every operation of users is for one of the roles", () => {
  for (const operation of operations.filter(({ access }) => access === "user"))
    expect(rolesWith(permissionsOf(operation)), titleOf(operation)).toContain("admin");
});

it.each<[given: string[] | null, has: Permission[], lacks: Permission[]]>([
  [null, ["config:write", "organization:write"], []],
  [["read"], ["config:read", "audit:read"], ["config:write", "conversations:write"]],
  [["write"], ["config:read", "keys:write"], []],
  [["config:write"], ["config:read", "config:write"], ["reports:read"]],
  [
    ["config:read", "reports:write"],
    ["config:read", "reports:write"],
    ["config:write", "keys:read"],
  ],
  [["spaceships:write"], [], ["config:read", "config:write"]],
  [[], [], ["config:read"]],
])("the scopes %j give rights", (given, has, lacks) => {
  const rights = rightsOfScopes(given);
  expect([has.every((each) => rights.has(each)), lacks.some((each) => rights.has(each))]).toEqual([true, false]);
});
