import { expect, it } from "vitest";
import { callIdAtCarrier, callIdOf, findCall } from "../../../api/telephony/call-sid.ts";
import { orgOne, orgTwo } from "../../make.ts";

const sid = (provider: "simulator" | "twilio" | "jambonz", call_sid?: string) => ({ provider, call_sid });

it("a call that is told twice by its switch's name for it is one call", () => {
  expect(callIdOf(orgOne, sid("twilio", "CA1"))).toBe(callIdOf(orgOne, sid("twilio", "CA1")));
  expect(callIdOf(orgOne, sid("simulator", "CA1"))).toBe(callIdOf(orgOne, sid("simulator", "CA1")));
  expect(callIdOf(orgOne, sid("simulator"))).not.toBe(callIdOf(orgOne, sid("simulator")));
});

it("names of one switch, or of one organization's own, are not those of another", () => {
  const ids = [
    callIdOf(orgOne, sid("twilio", "CA1")),
    callIdOf(orgOne, sid("jambonz", "CA1")),
    callIdOf(orgOne, sid("simulator", "CA1")),
    callIdOf(orgTwo, sid("simulator", "CA1")),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

it("a carrier's call is found by its name, whosever it is", async () => {
  const call_id = callIdAtCarrier("twilio", "CA1");
  const find = findCall({ ownerOf: async (id) => (id === call_id ? { orgId: orgTwo, isRefused: false } : null) });
  expect(callIdOf(orgTwo, sid("twilio", "CA1"))).toBe(call_id);
  expect(await find("twilio", "CA1")).toEqual({ org_id: orgTwo, call_id });
  expect(await find("jambonz", "CA1")).toBeNull();
});
