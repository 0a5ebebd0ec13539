import { type ResourceInput, toDocument } from "../../../../api/config/registry.ts";
import type { Formula, Step } from "../../../../api/routing/rtb/formula.ts";
import type { PingContext } from "../../../../api/routing/rtb/placeholders.ts";
import { orgOne, secondsIn } from "../../../make.ts";

type StepInput = ResourceInput<"rtb_formula">["steps"][number];

export const aStep = (given: Partial<StepInput> = {}): StepInput => ({
  url: "https://bids.example/ping",
  method: "POST",
  api_response: {},
  ...given,
});

/** One step, and the paths that most buyers' answers have. */
export const aFormula = (given: Partial<ResourceInput<"rtb_formula">> = {}): Formula =>
  toDocument("rtb_formula", {
    id: "rtb-1",
    org_id: orgOne,
    created_at: secondsIn(0),
    updated_at: secondsIn(0),
    rtb_name: "Sunny bids",
    buyer_id: "buy-1",
    steps: [aStep()],
    mapped_response: { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" },
    ...given,
  });

/** One that was kept when any text passed for an address. */
export const aFormulaOfBefore = (url: string, given: Parameters<typeof aFormula>[0] = {}): Formula => {
  const formula = aFormula(given);
  return { ...formula, steps: formula.steps.map((step) => ({ ...step, url })) };
};

/** A step as it is kept, and the formula that it is of. */
export function aKeptStep(given: Partial<StepInput> = {}): { formula: Formula; step: Step } {
  const formula = aFormula({ steps: [aStep(given)] });
  const [step] = formula.steps;
  if (step === undefined) throw new Error("no step");
  return { formula, step };
}

export const aPingContext = (given: Partial<PingContext> = {}): PingContext => ({
  caller_id: "+12125550123",
  zip: "10001",
  state: "NY",
  call_id: "call-1",
  request_id: "ping-1",
  publisher_id: "pub-1",
  campaign_id: "cmp-1",
  tags: {},
  ...given,
});
