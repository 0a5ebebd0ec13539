import { describe, expect, it } from "vitest";
import { toVerbs, type VerbContext } from "../../../../api/telephony/jambonz/verbs.ts";
import { aDial, aMenu } from "../fake-calls.ts";

const context: VerbContext = {
  hook: (path, about) => `/telephony/jambonz/${path}?about=${JSON.stringify(about)}`,
  callerId: "+12125550123",
  sipPassword: (targetId) => (targetId === "target-1" ? "secret" : undefined),
};

describe("a dial", () => {
  it("rings the number, shows the caller, and says where it tells how that ended", () => {
    expect(toVerbs(aDial(2, { say: ["Welcome."] }), context)).toEqual([
      { verb: "say", text: "Welcome." },
      {
        verb: "dial",
        answerOnBridge: true,
        timeout: 20,
        timeLimit: 14_400,
        callerId: "+12125550123",
        target: [{ type: "phone", number: "+18885550102" }],
        actionHook: '/telephony/jambonz/action?about={"dial":2}',
      },
    ]);
  });

  it("of a SIP endpoint logs in and sends its headers, each on one line", () => {
    const destination = {
      type: "sip" as const,
      target_id: "target-1",
      timeout_seconds: 30,
      sip_endpoint: "agent@pbx.example",
      sip_username: "user",
      sip_headers: { "X-Lead": "1\r\nVia: x" },
    };
    expect(toVerbs(aDial(1, { destination }), context)[0]).toMatchObject({
      target: [{ type: "sip", sipUri: "sip:agent@pbx.example", auth: { username: "user", password: "secret" } }],
      headers: { "X-Lead": "1 Via: x" },
    });
    const open = { ...destination, sip_endpoint: "sips:pbx.example", sip_username: null };
    expect(toVerbs(aDial(1, { destination: open }), context)[0]?.["target"]).toEqual([
      { type: "sip", sipUri: "sips:pbx.example" },
    ]);
  });

  it("shows what the switch has where the caller withheld the number", () => {
    expect(toVerbs(aDial(1), { ...context, callerId: null })[0]).not.toHaveProperty("callerId");
  });
});

it("a menu takes one digit", () => {
  expect(toVerbs(aMenu(3), context)).toEqual([
    {
      verb: "gather",
      input: ["digits"],
      numDigits: 1,
      timeout: 5,
      dtmfBargein: true,
      say: { text: "For solar, press 1." },
      actionHook: '/telephony/jambonz/gather?about={"turn":3}',
    },
  ]);
});

it("a call that goes nowhere is declined, or hung up once it has heard something", () => {
  expect(toVerbs({ action: "reject", say: [], reason: "campaign_capped" }, context)).toEqual([
    { verb: "sip:decline", status: 486 },
  ]);
  expect(toVerbs({ action: "reject", say: [], reason: "caller_blocked" }, context)).toEqual([
    { verb: "sip:decline", status: 603 },
  ]);
  for (const action of ["reject", "hangup"] as const) {
    expect(toVerbs({ action, say: ["Closed."], reason: "x" }, context)).toEqual([
      { verb: "say", text: "Closed." },
      { verb: "hangup" },
    ]);
  }
  expect(toVerbs({ action: "none" }, context)).toEqual([{ verb: "hangup" }]);
});
