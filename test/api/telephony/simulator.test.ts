import { describe, expect, it } from "vitest";
import { operations } from "../operation-table.ts";

const placing = operations.find(({ path }) => path === "/telephony/simulator/calls");
const isTaken = (from: unknown) => placing?.body?.safeParse({ from, to: "+18005550100" }).success;

describe("the simulated switch takes a caller that a switch can send", () => {
  it.each([
    "+12125550123",
    "2125550123",
    "(212) 555-0123",
    "222-333-4444",
    "+442079460018",
    "9999999999",
    "911",
    "7726",
    "+1555",
    "anonymous",
    "Anonymous",
    "Restricted",
    "unknown",
    "+266696687",
    "sip:alice@example.com",
    "sips:bob@10.0.0.1:5061",
  ])("%s", (from) => expect(isTaken(from)).toBe(true));

  it.each([
    "",
    "x",
    "1",
    "nobody",
    "alice@example.com",
    "sip:alice",
    "+",
    "12 monkeys",
    "<script>",
    "1".repeat(30),
    null,
    5,
  ])("and not %j", (from) => expect(isTaken(from)).toBe(false));
});

it("takes the address of a recording that a browser may open, and no other scheme", () => {
  const reporting = operations.find(({ path }) => path === "/telephony/simulator/calls/{call_id}/events");
  const isRecording = (recording_url: string) =>
    reporting?.body?.safeParse({ type: "recorded", recording_url }).success === true;
  expect(["https://switch.example/r/1", "HTTP://switch.example/r/1"].map(isRecording)).toEqual([true, true]);
  const others = ["javascript:alert(1)", " javascript:alert(1)", "data:text/html,x", "ftp://switch.example/1", "r/1"];
  expect(others.filter(isRecording)).toEqual([]);
});
