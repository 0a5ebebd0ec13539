/** A request that gave no answer: the status and code of the response, with the server's own sentence as message. */
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

/** A failure in the analyst's words, and what the button beside it does. */
export type Problem = {
  readonly title: string;
  readonly advice: string;
  readonly remedy: "retry" | "edit" | "sign_in";
};

/** The server ends a question well before this. */
export const answerDeadlineMs = 90_000;

const waitWords = (seconds: number | null): string =>
  seconds === null ? "Wait a minute" : `Wait ${seconds} second${seconds === 1 ? "" : "s"}`;

const asSentence = (text: string): string => (text === "" || /[.!?…]$/.test(text) ? text : `${text}.`);

const problemOf = (error: RequestError): Problem => {
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

/** Words for anything that a request threw, except that it was cancelled, which callers handle before. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof RequestError && error.code === "unreadable") {
    return {
      title: "The server's answer could not be read.",
      advice: "This page may be older than the server. Reload it, then ask again.",
      remedy: "retry",
    };
  }
  if (error instanceof RequestError) return problemOf(error);
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

/** True where the server did not accept the access token. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RequestError && (error.status === 401 || error.status === 403);

/** A failure as one text; the server's own sentence for statuses of which it knows best what to say. */
export const errorText = (error: unknown, ...ownSentence: readonly number[]): string => {
  if (error instanceof RequestError && ownSentence.includes(error.status)) return error.message;
  const { title, advice } = toProblem(error);
  return `${title} ${advice}`;
};
