import type { Resource } from "../config/registry.ts";

type Recordings = Pick<Resource<"target">, "disable_recordings">;

/**
 * Whether a call of the campaign to a target or an RTB formula is recorded: not where any of them has it disabled
 * (semantics 8.11). Who may see the recording is another question: signals carry `access_to_call_recordings` with the
 * call, and `shownRecordingUrl` answers it.
 */
export const isRecorded = (campaign: Recordings, destination: Recordings): boolean =>
  !campaign.disable_recordings && !destination.disable_recordings;
