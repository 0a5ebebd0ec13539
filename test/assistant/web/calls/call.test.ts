import { expect, it } from "vitest";
import { isLink } from "../../../../assistant/web/calls/call.ts";

it("the address of a recording is a link where a click only opens it", () => {
  expect(["https://switch.example/1", "HTTP://switch.example/1"].map(isLink)).toEqual([true, true]);
  const others = [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "httpx:1",
  ];
  expect(others.map(isLink)).toEqual(others.map(() => false));
});
