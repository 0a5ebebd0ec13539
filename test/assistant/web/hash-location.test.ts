import { describe, expect, it } from "vitest";
import { linkHash, parseHash, sessionHash } from "../../../assistant/web/hash-location.ts";

const overview = { view: "overview", day: null };
const asking = { view: "ask", session: null, linked: null, shared: null };

describe("a location of the page", () => {
  it.each([
    ["", overview],
    ["#overview", overview],
    ["#overview?day=2026-11-26", { view: "overview", day: "2026-11-26" }],
    ["#overview?day=yesterday", overview],
    ["#nowhere", overview],
    ["#asking", overview],
    ["#ask", asking],
    ["#ask/", asking],
    ["#ask/../etc", asking],
    [`#ask/${"x".repeat(65)}`, asking],
    ["#ask/019aa-b", { ...asking, session: "019aa-b" }],
    ["#ask?question=", asking],
    ["#ask?plan=%7B%7D", asking],
    ["#link/a-B_9", { ...asking, shared: "a-B_9" }],
    ["#link/", overview],
    ["#link/a/b", overview],
    ["#ask?question=calls+today", { ...asking, linked: { question: "calls today", plan: null } }],
    ["#ask?question=calls&plan=nonsense", { ...asking, linked: { question: "calls", plan: null } }],
    ["#calls", { view: "calls", hash: "calls", call: null }],
    ["#calls?status=failed", { view: "calls", hash: "calls?status=failed", call: null }],
    ["#calls/", { view: "calls", hash: "calls/", call: null }],
    ["#calls/a%2Fb", { view: "calls", hash: "calls/a%2Fb", call: "a/b" }],
    ["#calls/50%", { view: "calls", hash: "calls/50%", call: "50%" }],
    ["#callsx", overview],
    ["#deliveries", { view: "deliveries", hash: "deliveries" }],
    ["#deliveries?open=a", { view: "deliveries", hash: "deliveries?open=a" }],
    ["#deliveriesx", overview],
    ["#board", { view: "board", question: null }],
    ["#board?question=a", { view: "board", question: "a" }],
    ["#boards", overview],
    ["#schedules", { view: "schedules", question: null }],
    ["#schedules?question=a", { view: "schedules", question: "a" }],
    ["#schedulesx", overview],
    ["#webhooks/outgoing/a?hours=1", { view: "webhooks", hash: "webhooks/outgoing/a?hours=1" }],
    ["#webhooksx", overview],
  ])("is read from %s", (hash, location) => {
    expect(parseHash(hash)).toEqual(location);
  });

  it("of a question holds what was asked, whatever its letters, and its plan", () => {
    const linked = {
      question: "“Größe” & co? #1 50% + 東京",
      plan: { measures: ["calls"], filters: [{ value: "a&b" }] },
    };
    expect(parseHash(linkHash(linked))).toEqual({ ...asking, linked });
    expect(parseHash(linkHash({ question: "x", plan: null }))).toEqual({
      ...asking,
      linked: { question: "x", plan: null },
    });
    expect(parseHash(linkHash({ question: "x".repeat(2001), plan: null }))).toMatchObject({
      linked: { question: "x".repeat(2000) },
    });
  });

  it("of a conversation holds its session", () => {
    expect([sessionHash(null), sessionHash("a-1")]).toEqual(["#ask", "#ask/a-1"]);
    expect(parseHash(sessionHash("a-1"))).toEqual({ ...asking, session: "a-1" });
  });
});
