import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import type { Instruction } from "../../../../api/telephony/instruction.ts";
import { type TwimlContext, toDocument, toTwiml } from "../../../../api/telephony/twilio/twiml.ts";
import { anyText } from "../../../any-text.ts";
import { aDial, aMenu } from "../fake-calls.ts";

const context: TwimlContext = {
  callback: (path, about = {}) => `https://calls.example/${path}?call_id=1&about=${JSON.stringify(about)}`,
  callerId: "+12125550123",
  sipPassword: (targetId) => (targetId === "target-1" ? 'p"w<' : undefined),
};
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
});
/** What a carrier reads; a document that it cannot read fails the test. */
function read(document: string) {
  expect(XMLValidator.validate(document)).toBe(true);
  return parser.parse(document).Response;
}
const told = (instruction: Instruction, other: Partial<TwimlContext> = {}) =>
  read(toDocument(toTwiml(instruction, { ...context, ...other })));

describe("a dial", () => {
  it("rings the number, shows the caller, and says where each of its callbacks goes", () => {
    expect(told(aDial(2, { say: ["Welcome."] }))).toEqual({
      Say: "Welcome.",
      Dial: {
        "@timeout": "20",
        "@timeLimit": "14400",
        "@answerOnBridge": "true",
        "@callerId": "+12125550123",
        "@action": 'https://calls.example/dial-action?call_id=1&about={"dial":2}',
        "@method": "POST",
        Number: {
          "#text": "+18885550102",
          "@statusCallback": 'https://calls.example/status?call_id=1&about={"dial":2}',
          "@statusCallbackEvent": "initiated ringing answered completed",
          "@statusCallbackMethod": "POST",
        },
      },
    });
  });

  it("is recorded only where it shall be", () => {
    expect(told(aDial(1, { record: true })).Dial).toMatchObject({
      "@record": "record-from-answer-dual",
      "@recordingStatusCallback": "https://calls.example/recording?call_id=1&about={}",
    });
    expect(Object.keys(told(aDial(1)).Dial).filter((name) => /record/i.test(name))).toEqual([]);
  });

  it("of a SIP endpoint logs in, and hands on the headers that can travel", () => {
    const destination = {
      type: "sip" as const,
      target_id: "target-1",
      timeout_seconds: 30,
      sip_endpoint: "agent@pbx.example",
      sip_username: "u&1",
      sip_headers: { "X-Lead": "a b&c=<1>\r\nVia: x", Via: "no", "user-to-user": "4;e=hex" },
    };
    const { Sip, Number: number } = told(aDial(1, { destination })).Dial;
    expect(number).toBeUndefined();
    expect(Sip).toMatchObject({ "@username": "u&1", "@password": 'p"w<' });
    expect(Sip["#text"]).toBe("sip:agent@pbx.example?X-Lead=a%20b%26c%3D%3C1%3E%20Via%3A%20x&user-to-user=4%3Be%3Dhex");
  });

  it("of a SIP endpoint without a user does not log in, and keeps the parameters that it has", () => {
    const destination = {
      type: "sip" as const,
      target_id: "target-1",
      timeout_seconds: 30,
      sip_endpoint: "sips:pbx.example?X-A=1",
      sip_headers: { "X-B": "2" },
    };
    const { Sip } = told(aDial(1, { destination })).Dial;
    expect(Sip["#text"]).toBe("sips:pbx.example?X-A=1&X-B=2");
    expect(Object.keys(Sip).filter((name) => /username|password/.test(name))).toEqual([]);
  });

  it("shows what the carrier has where the caller withheld the number", () => {
    expect(told(aDial(1), { callerId: null }).Dial).not.toHaveProperty("@callerId");
  });
});

describe("a menu", () => {
  it("takes one digit of any kind, and goes the same way without one", () => {
    const action = 'https://calls.example/gather?call_id=1&about={"turn":3}';
    expect(told(aMenu(3))).toEqual({
      Gather: {
        "@input": "dtmf",
        "@numDigits": "1",
        "@finishOnKey": "",
        "@timeout": "5",
        "@action": action,
        "@method": "POST",
        Say: "For solar, press 1.",
      },
      Redirect: { "@method": "POST", "#text": action },
    });
  });
});

describe("a call that goes nowhere", () => {
  it.each([
    ["campaign_concurrency", "busy"],
    ["publisher_capped", "busy"],
    ["no_eligible_route", "busy"],
    ["caller_blocked", "rejected"],
    ["whatever", "rejected"],
  ])("for %s is turned away as %s", (reason, heard) => {
    expect(told({ action: "reject", say: [], reason })).toEqual({ Reject: { "@reason": heard } });
  });

  it("is hung up once it has heard something, or was dialed", () => {
    expect(told({ action: "reject", say: ["Closed."], reason: "x" })).toEqual({ Say: "Closed.", Hangup: "" });
    expect(told({ action: "hangup", say: ["Good", "bye"], reason: "x" })).toEqual({ Say: ["Good", "bye"], Hangup: "" });
    expect(told({ action: "none" })).toEqual({ Hangup: "" });
  });
});

describe("whatever a customer writes", () => {
  const someText = fc.oneof(
    anyText(),
    fc.constantFrom(
      '"/><Hangup/>',
      "</Say><Dial>+1900</Dial>",
      "]]>",
      "<!--",
      "&#0;",
      "&lt;",
      "\u0000\u0008",
      "\ud800",
      "'",
    ),
  );

  it("stays text: no verb and no attribute comes of it", () => {
    const input = fc.record({ text: someText, number: someText, user: someText, header: someText, password: someText });
    fc.assert(
      fc.property(input, ({ text, number, user, header, password }) => {
        const sip = { type: "sip", target_id: "t", timeout_seconds: 9, sip_endpoint: number } as const;
        const destination = { ...sip, sip_username: user, sip_headers: { [header]: text, "X-A": text } };
        const dial = told(aDial(1, { say: [`a${text}`], destination }), { sipPassword: () => password });
        expect(Object.keys(dial)).toEqual(["Say", "Dial"]);
        const dialed = Object.keys(dial.Dial.Sip).filter((name) => !/^@(username|password)$/.test(name));
        expect(dialed.sort()).toEqual(["#text", "@statusCallback", "@statusCallbackEvent", "@statusCallbackMethod"]);
        const toNumber = { type: "number", target_id: "t", timeout_seconds: 9, number: `1${number}` } as const;
        const named = told(aDial(1, { destination: toNumber })).Dial;
        expect(Object.keys(named.Number)).toHaveLength(4);
      }),
    );
  });

  it("arrives as it was written", () => {
    for (const text of ["Say \"hi\" & <bye> 'now'", "]]>", "&lt;b&gt;", "Ünïcödé 🙂"]) {
      expect(told({ action: "hangup", say: [text], reason: "x" }).Say).toBe(text);
    }
  });
});
