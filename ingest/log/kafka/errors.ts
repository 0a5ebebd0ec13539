import { LogError } from "../log.ts";

const tooLarge = new Set(["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"]);

/** Converts errors of the brokers or of kafkajs. */
export function toLogError(error: unknown): LogError {
  if (error instanceof LogError) return error;
  const type = kafkaTypeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  if (type !== undefined && tooLarge.has(type)) {
    return new LogError(
      "message_too_large",
      `The brokers refuse what was published as too large: ${text}. Shorten it, or raise max.message.bytes of the topic.`,
      { cause: error },
    );
  }
  return new LogError(
    "log_unavailable",
    `The brokers cannot be used: ${text}. Check that they run and that REDPANDA_BROKERS and what belongs to it are right.`,
    { cause: error },
  );
}

/** The protocol's name of the error, such as REBALANCE_IN_PROGRESS; kafkajs wraps errors in others. */
export function kafkaTypeOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ("type" in each && typeof each.type === "string") return each.type;
  }
  return undefined;
}

export const logClosed = () =>
  new LogError("log_closed", "The log is closed. Open it again before publishing or reading.");
