/** Reasons that pass: the caller may well try again. */
const passing: ReadonlySet<string> = new Set(["campaign_capped", "campaign_concurrency", "no_eligible_route"]);

/** Whether a call that is turned away hears that we are busy, or that it is not wanted. */
export const rejectionOf = (reason: string): "busy" | "rejected" => (passing.has(reason) ? "busy" : "rejected");
