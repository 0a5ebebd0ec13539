import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLlmPlanner } from "../../../../assistant/llm/planner-llm.ts";
import { orgOne, orgTwo } from "../../../make.ts";
import { openConversations } from "./conversation-server.ts";

const admin = { user: "boss", admin: true };
const sunny = { instructions: "South = Texas and Florida\nA good call is one over 90 seconds." };

describe("an organization's own words for the assistant", () => {
  let server: Awaited<ReturnType<typeof openConversations>>;
  beforeAll(async () => {
    server = await openConversations();
  });
  afterAll(() => server.close());
  const write = (body: object, analyst: object = admin) => server.send("PATCH", "/instructions", { ...analyst, body });

  it("are an admin's to write and everybody's to read, and stand in the audit log", async () => {
    expect((await server.send("GET", "/instructions", { org: orgTwo })).body).toEqual({
      instructions: "",
      updated_by: null,
      updated_at: null,
      may_change: false,
    });
    expect((await write(sunny)).body).toMatchObject({ ...sunny, updated_by: "user:boss", may_change: true });
    expect((await write(sunny, { user: "ann" })).status).toBe(403);
    await write({ instructions: "South = Texas" });
    expect((await server.send("GET", "/instructions", { user: "ann" })).body).toMatchObject({
      instructions: "South = Texas",
      may_change: false,
    });
    const records = (await server.audited(orgOne)).filter(
      ({ entity_type }) => entity_type === "assistant_instructions",
    );
    expect(records.at(-1)).toMatchObject({
      action: "update",
      actor_id: "boss",
      changes: [{ field: "instructions", old: sunny.instructions, new: "South = Texas" }],
    });
  });

  it("are at most four kilobytes", async () => {
    expect((await write({ instructions: "é".repeat(2049) })).status).toBe(422);
    expect((await write({ instructions: "é".repeat(2048) }, { ...admin, org: orgTwo })).status).toBe(200);
  });

  it("define terms of questions, which the answer tells; not those of another organization", async () => {
    await write(sunny);
    const { body } = await server.ask({ query: "calls from the south last month" });
    expect(body.plan.filters).toEqual([{ field: "state", op: "is", values: ["TX", "FL"] }]);
    expect(body.answer).toContain("“South” is read as “Texas and Florida”, as your organization defines it.");
    const { body: other } = await server.ask({ query: "calls from the south last month" }, { org: orgTwo });
    expect(other.plan?.filters ?? []).toEqual([]);
  });
});

it("a language model is told them beside the question, never among its rules", async () => {
  const heard: { system: string; told: Record<string, unknown> }[] = [];
  const server = await openConversations({
    plannerOver: (guarded, clock) =>
      createLlmPlanner({
        model: {
          async complete([system, user]) {
            heard.push({ system: system?.content ?? "", told: JSON.parse(user?.content ?? "{}") });
            return { reply: { kind: "none", reading: "No." }, usage: { input_tokens: 0, output_tokens: 0 } };
          },
        },
        guarded,
        clock,
        engine: "DuckDB",
        sendValues: true,
        deadlineMs: 60_000,
        onTrouble: () => undefined,
      }),
  });
  try {
    await server.send("PATCH", "/instructions", { ...admin, body: sunny });
    await server.ask({ query: "good calls of the south" });
    expect(heard[0]?.told).toMatchObject({
      question: "good calls of Texas and Florida",
      organization_instructions: sunny.instructions,
    });
    expect(heard[0]?.system).not.toContain("90 seconds");
  } finally {
    await server.close();
  }
});
