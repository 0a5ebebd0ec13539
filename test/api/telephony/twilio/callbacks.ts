import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect } from "vitest";
import type { CarrierDeps } from "../../../../api/telephony/carriers.ts";
import type { Instruction } from "../../../../api/telephony/instruction.ts";
import { twilioOperations } from "../../../../api/telephony/twilio/operations.ts";
import { callBack } from "../callback.ts";
import { aDial, openCarrier, over, trackingNumber } from "../fake-calls.ts";

export const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "@", parseTagValue: false });

export const arrival = { CallSid: "CA1", From: "+12125550123", To: trackingNumber, CallStatus: "ringing" };

export function openRig(
  script: readonly Instruction[] = [aDial(1), aDial(2), over()],
  given: Partial<CarrierDeps> = {},
) {
  const carrier = openCarrier(script, given);
  const operations = twilioOperations(carrier.deps);
  const send = async (address: string, form: Record<string, string>) => {
    const document = String(await callBack(operations, address, form));
    expect(XMLValidator.validate(document)).toBe(true);
    return parser.parse(document).Response;
  };
  return { ...carrier, send, arrive: (more = {}) => send("/telephony/twilio/voice", { ...arrival, ...more }) };
}
