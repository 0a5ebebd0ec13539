/** Reasons that pass: the caller may well try again. */
const passing = /^(no_eligible_route|platform_unavailable)$|_(capped|concurrency)$/;

/** Whether a call that is turned away hears that we are busy, or that it is not wanted. */
export const rejectionOf = (reason: string): "busy" | "rejected" => (passing.test(reason) ? "busy" : "rejected");
