import { describe, expect, it } from "vitest";
import {
  type Asking,
  reduceTurns,
  type Turn,
  toQuestion,
} from "../../../../assistant/web/conversation/conversation.ts";
import { recall } from "../../../../assistant/web/conversation/recall.ts";
import { type Answer, answerSchema } from "../../../../assistant/web/wire.ts";

const anAnswer = (change: Partial<Answer>): Answer =>
  answerSchema.parse({
    answer: "12 calls.",
    sql: "SELECT 12",
    explanation: "",
    data: { columns: [], rows: [], row_count: 0, truncated: false },
    chart_suggestion: null,
    interpretation: null,
    plan: { subject: "calls" },
    follow_ups: [],
    timing_ms: { plan: 1, query: 1, total: 2 },
    planner: "offline",
    ...change,
  });

const asking = (id: number, question: string): Asking => ({ id, question, edited: null });

const answered = (id: number, change: Partial<Answer> = {}): Turn => ({
  ...asking(id, `question ${id}`),
  state: { kind: "answered", answer: anAnswer(change) },
});

describe("turns", () => {
  it("a question begins a turn, an answer settles it", () => {
    const begun = reduceTurns([], { kind: "begin", asking: asking(1, "How many calls?"), atMs: 5 });
    const state = { kind: "asking", startedAtMs: 5, step: null, reading: null };
    expect(begun).toEqual([{ ...asking(1, "How many calls?"), state }]);
    const querying = reduceTurns(begun, { kind: "progress", id: 1, step: "querying", reading: "Calls" });
    expect(querying[0]?.state).toEqual({ ...state, step: "querying", reading: "Calls" });
    const charting = reduceTurns(querying, { kind: "progress", id: 1, step: "charting", reading: null });
    expect(charting[0]?.state).toEqual({ ...state, step: "charting", reading: "Calls" });
    expect(reduceTurns(begun, { kind: "settle", id: 1, state: { kind: "cancelled" } })[0]?.state.kind).toBe(
      "cancelled",
    );
  });

  it("trying again happens in place and keeps what came after", () => {
    const turns = reduceTurns([answered(1), answered(2)], { kind: "begin", asking: asking(1, "question 1"), atMs: 9 });
    expect(turns.map((turn) => [turn.id, turn.state.kind])).toEqual([
      [1, "asking"],
      [2, "answered"],
    ]);
  });

  it("a new conversation forgets the old one", () => {
    expect(reduceTurns([answered(1)], { kind: "clear" })).toEqual([]);
  });
});

describe("the request", () => {
  it("a first question goes alone", () => {
    expect(toQuestion([], asking(1, "How many calls?"))).toEqual({ query: "How many calls?" });
  });

  it("earlier answers go along with their plans; refusals and failures do not", () => {
    const turns: Turn[] = [
      answered(1),
      answered(2, { plan: null, planner: "llm", sql: "" }),
      { ...asking(3, "broken"), state: { kind: "cancelled" } },
      answered(4, { session_id: "s1" }),
    ];
    expect(toQuestion(turns, asking(5, "only last month"))).toEqual({
      query: "only last month",
      conversation_history: [
        { query: "question 1", plan: { subject: "calls" } },
        { query: "question 4", plan: { subject: "calls" } },
      ],
      session_id: "s1",
    });
  });

  it("an answer by SQL alone goes along with its SQL", () => {
    const turns = [answered(1), answered(2, { plan: null, planner: "llm", sql: "SELECT 2" })];
    expect(toQuestion(turns, asking(3, "only the top 5")).conversation_history).toEqual([
      { query: "question 1", plan: { subject: "calls" } },
      { query: "question 2", sql: "SELECT 2" },
    ]);
  });

  it("a question tried again is sent with what came before it only", () => {
    const request = toQuestion([answered(1), answered(2), answered(3)], asking(2, "question 2"));
    expect(request.conversation_history?.map((turn) => turn.query)).toEqual(["question 1"]);
  });

  it("an edited plan goes in place of what came before it", () => {
    const edited = { plan: { subject: "calls" }, period: "last 7 days" };
    const request = toQuestion([answered(1, { session_id: "s1" })], { ...asking(2, "Calls, last 7 days"), edited });
    expect(request).toEqual({ query: "Calls, last 7 days", ...edited, session_id: "s1" });
  });

  it("a long conversation sends its last ten turns", () => {
    const turns = Array.from({ length: 15 }, (_, index) => answered(index + 1));
    const history = toQuestion(turns, asking(99, "and now?")).conversation_history;
    expect(history?.map((turn) => turn.query).at(0)).toBe("question 6");
    expect(history).toHaveLength(10);
  });
});

describe("the arrows", () => {
  const asked = ["first", "second"];

  it("walk back through the questions and forward to the draft", () => {
    const back = recall(asked, "draft", { now: null, step: -1 });
    expect(back?.text).toBe("second");
    const further = recall(asked, "second", { now: back?.recall ?? null, step: -1 });
    expect(further?.text).toBe("first");
    const forward = recall(asked, "first", { now: further?.recall ?? null, step: 1 });
    expect(forward?.text).toBe("second");
    expect(recall(asked, "second", { now: forward?.recall ?? null, step: 1 })).toEqual({ text: "draft", recall: null });
  });

  it("do nothing where there is nothing further", () => {
    expect(recall([], "draft", { now: null, step: -1 })).toBeNull();
    expect(recall(asked, "draft", { now: null, step: 1 })).toBeNull();
    expect(recall(asked, "first", { now: { position: 0, draft: "" }, step: -1 })).toBeNull();
  });
});
