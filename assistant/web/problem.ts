/** Why a request gave no answer, with all that the sentence to the analyst needs. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(fault: { status: number; code: string; message: string; retryAfterSeconds?: number | null }) {
    super(fault.message);
    this.status = fault.status;
    this.code = fault.code;
    this.retryAfterSeconds = fault.retryAfterSeconds ?? null;
  }
}

/** What the analyst is told, and the one thing the button beside it does. */
export type Problem = {
  readonly title: string;
  readonly advice: string;
  readonly remedy: "retry" | "edit" | "sign_in";
};

/** An answer that takes this long will not come: the server bounds a question well below it. */
export const answerDeadlineMs = 90_000;

const waitWords = (seconds: number | null): string =>
  seconds === null ? "Wait a minute" : `Wait ${seconds} second${seconds === 1 ? "" : "s"}`;

const asSentence = (text: string): string => (text === "" || /[.!?…]$/.test(text) ? text : `${text}.`);

const ofStatus = (error: RequestError): Problem => {
  const said = asSentence(error.message);
  if (error.status === 401 || error.status === 403) {
    return { title: "You are signed out.", advice: "Sign in with a current access token.", remedy: "sign_in" };
  }
  if (error.status === 429) {
    return {
      title: "Too many requests in a short time.",
      advice: `${waitWords(error.retryAfterSeconds)}, then try again.`,
      remedy: "retry",
    };
  }
  if (error.status === 422) {
    return { title: "The question could not be read.", advice: `${said} Change it and ask again.`, remedy: "edit" };
  }
  if (error.status === 503) {
    return {
      title: "The reports are not available right now.",
      advice: `${said} Try again in a moment.`.trim(),
      remedy: "retry",
    };
  }
  const advice = `${said} Try again; if it fails once more, tell your administrator (code ${error.code}).`;
  return { title: "Something went wrong on the server.", advice: advice.trim(), remedy: "retry" };
};

/** Words for whatever a request threw; the caller has already dealt with its own cancelling. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof RequestError && error.code === "unreadable") {
    return {
      title: "The server's answer could not be read.",
      advice: "This page may be older than the server. Reload it, then ask again.",
      remedy: "retry",
    };
  }
  if (error instanceof RequestError) return ofStatus(error);
  if (error instanceof Error && error.name === "TimeoutError") {
    return {
      title: `No answer came within ${answerDeadlineMs / 1_000} seconds.`,
      advice: "Ask for a shorter period or fewer groups, or try again.",
      remedy: "retry",
    };
  }
  return {
    title: "The server could not be reached.",
    advice: "Check your connection, then try again.",
    remedy: "retry",
  };
};
