import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

/** A phone number that is none of the organization's is a caller's, who may have withheld it; an address is where a change came from. */
export function matchPhone(words: readonly Word[], at: number): Match | undefined {
  const value = words[at]?.text ?? "";
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(value)) return asValue({ name: "source_ip", value }, ["audit_logs"]);
  const isWithheld = value === "anonymous" && words[at]?.quoted === false;
  if (!isWithheld && !/^\+\d{10,15}$/.test(value)) return undefined;
  return asValue({ name: "caller", value }, ["calls", "inbound_rtb_requests"]);
}
