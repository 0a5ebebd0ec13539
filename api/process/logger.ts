import { type Logger, pino } from "pino";
import type { Settings } from "../settings/settings.ts";

/** Lines of JSON on standard error, each written before the call returns. */
export const createLogger = (level: Settings["LOG_LEVEL"]): Logger => pino({ level }, pino.destination(2));
