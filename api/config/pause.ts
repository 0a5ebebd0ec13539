import { z } from "zod";
import { isoTime } from "../../ingest/clock.ts";
import { timestamp } from "../../ingest/primitives.ts";

/** A pause of a resource or row; `paused_until` null means until it is resumed. */
export interface PauseState {
  readonly paused_at: string;
  readonly paused_until: string | null;
  readonly paused_by: string;
  /** Shown in the audit log alone. */
  readonly reason?: string;
}

/** Longest pause by minutes: thirty days. */
const maxMinutes = 43_200;

/** Body of a pause request; `reason` goes into the audit log alone. Null beside another time is as if not sent. */
export const pauseSchema = (now: () => number) =>
  z
    .object({
      duration_minutes: z.number().int().min(1).max(maxMinutes).nullish(),
      paused_until: timestamp
        .refine((time) => Date.parse(time) > now(), "must lie in the future")
        .nullish()
        .describe("A time in the future."),
      unlimited: z.boolean().optional(),
      reason: z.string().min(1).max(500).optional(),
    })
    .superRefine(refuseNoTime)
    .meta({ id: "PauseRequest" });
export type PauseRequest = z.infer<ReturnType<typeof pauseSchema>>;

interface Times {
  readonly duration_minutes?: number | null | undefined;
  readonly paused_until?: string | null | undefined;
  readonly unlimited?: boolean | undefined;
}

/** Whoever sends null for the only time may have lost it: that is no pause until resumed. */
function refuseNoTime({ unlimited, ...times }: Times, { addIssue }: z.RefinementCtx): void {
  if (unlimited === true || (times.duration_minutes ?? times.paused_until ?? null) !== null) return;
  for (const field of ["duration_minutes", "paused_until"] as const) {
    if (times[field] !== null) continue;
    const message = "must be sent with a value; to pause until resumed, send unlimited: true";
    addIssue({ code: "custom", path: [field], message, input: null });
  }
}

/**
 * Returns the pause that a request asks for. `unlimited: true` wins over `paused_until`, which wins over `duration_minutes`;
 * none of them means until resumed.
 */
export function toPauseState(
  { duration_minutes, paused_until, unlimited, reason }: PauseRequest,
  by: string,
  now: number,
): PauseState {
  const byMinutes = duration_minutes == null ? null : isoTime(now + duration_minutes * 60_000);
  return {
    paused_at: isoTime(now),
    paused_until: unlimited === true ? null : (paused_until ?? byMinutes),
    paused_by: by,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Returns true until the instant of `paused_until`. */
export const isPaused = (pause: PauseState | null | undefined, now: number): boolean =>
  pause != null && (pause.paused_until === null || now < Date.parse(pause.paused_until));

/** The read-only fields that show a pause; all null once it has expired, cleared or not. */
export const pauseFields = {
  is_paused: z.boolean(),
  paused_at: timestamp.nullable(),
  paused_until: timestamp.nullable(),
  paused_by: z.string().nullable(),
};

export function pauseView(pause: PauseState | null | undefined, now: number) {
  if (pause == null || !isPaused(pause, now)) {
    return { is_paused: false, paused_at: null, paused_until: null, paused_by: null };
  }
  const { paused_at, paused_until, paused_by } = pause;
  return { is_paused: true, paused_at, paused_until, paused_by };
}
