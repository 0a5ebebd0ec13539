import { describe, expect, it } from "vitest";
import {
  callIdOf,
  conditionsOf,
  noSearch,
  parametersOf,
  readCallSearch,
  readSought,
  toHash,
} from "../../../../assistant/web/calls/call-search.ts";

// Half past eight in the evening of the 22nd in New York.
const at = { nowMs: Date.parse("2026-11-23T01:30:00Z"), zone: "America/New_York" };

describe("a search of the call log", () => {
  it("is in the address, and is read from it", () => {
    const search = { ...noSearch, status: "failed", reason: "busy", tag: "utm=a=b & c", hours: "month", page: "x" };
    expect(readCallSearch(toHash(search).slice(1))).toEqual(search);
    expect(toHash(noSearch)).toBe("#calls");
  });

  it("ignores what makes no sense", () => {
    const wrong = "calls?hours=7&status=odd&converted=maybe&min=-1&tag=x&from=2026-11-20T10:00&unknown=1";
    expect(readCallSearch(wrong)).toEqual(noSearch);
    expect(readCallSearch("calls")).toEqual(noSearch);
  });

  it("is sent as the call log's own parameters", () => {
    const search = { ...noSearch, status: "failed", campaign: "c", min: "90", tag: "utm=a=b", hours: "today" };
    expect(parametersOf(search, at)).toEqual({
      status: "failed",
      campaign_id: "c",
      min_duration: "90",
      "tag.utm": "a=b",
      start_date: "2026-11-22T05:00:00.000Z",
    });
    expect(conditionsOf({ ...noSearch, status: "live" })).toEqual({ live: "true" });
  });

  it("begins a day before the end of a span without a beginning", () => {
    expect(parametersOf({ ...noSearch, hours: "between", to: "2026-11-20T10:00" }, at)).toEqual({
      start_date: "2026-11-19T10:00:00.000Z",
      end_date: "2026-11-20T10:00:00.000Z",
    });
  });
});

describe("a text in the search box", () => {
  it("is a caller's number, or the id of a call", () => {
    expect(readSought(" (212) 555-0123 ")).toEqual({ caller: "(212) 555-0123" });
    expect(readSought("call 01a20960-1ded-7660-a31b-6ca07010477f")).toEqual({
      call: "01a20960-1ded-7660-a31b-6ca07010477f",
    });
  });
});

describe("a call in the question box", () => {
  it.each([
    ["call 01a20960-1ded-7660-a31b-6ca07010477f", "01a20960-1ded-7660-a31b-6ca07010477f"],
    [" Call CA0123456789abcdef0123456789abcdef ", "CA0123456789abcdef0123456789abcdef"],
    ["01a20960-1ded-7660-a31b-6ca07010477f", "01a20960-1ded-7660-a31b-6ca07010477f"],
    ["call volume", null],
    ["call conversion_rate_by_publisher", null],
    ["calls yesterday", null],
    ["call 2125550123", null],
    ["why was call 01a20960-1ded-7660-a31b-6ca07010477f refused", null],
  ])("is found in %s", (question, id) => {
    expect(callIdOf(question)).toBe(id);
  });
});
