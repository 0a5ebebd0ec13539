import { expect, it } from "vitest";
import { placeholdersOf } from "../../../../api/outbound/webhook-placeholders.ts";
import { isRecorded } from "../../../../api/routing/call/offer.ts";
import { catalog } from "../../../../assistant/catalog/catalog.ts";
import { anEvent, aRecorded, secondsIn, signalsOfCall } from "../../../make.ts";
import { aCampaign, aFormula, aTarget } from "../make-route.ts";

it.each([
  [false, false, true],
  [true, false, false],
  [false, true, false],
  [true, true, false],
])("with recordings disabled on the campaign: %s, on the destination: %s, a call is recorded: %s", (...row) => {
  const [onCampaign, onDestination, expected] = row;
  const campaign = aCampaign({ disable_recordings: onCampaign });
  for (const destination of [
    aTarget({ disable_recordings: onDestination }),
    aFormula({ disable_recordings: onDestination }),
  ]) {
    expect(isRecorded(campaign, destination)).toBe(expected);
  }
});

it("is not asked who may see the recording", () => {
  expect(isRecorded(aCampaign({ access_to_call_recordings: false }), aTarget())).toBe(true);
});

it("is shown by no placeholder, and asked of no assistant: neither looks who may see it", () => {
  const event = anEvent("call.updated", [...signalsOfCall(16), aRecorded({ at: secondsIn(40) })]);
  const isShown = (value: string | undefined) => value === event.recording_url;
  const names = ["RECORDING_URL", "RECORDING", "CALL_RECORDING", "CALL_RECORDING_URL", "CALL_ID"];
  const shown = names.map((name) => placeholdersOf(event)(name));
  expect([shown.some(isShown), shown.at(-1), event.recording_url]).toEqual([false, "call-1", aRecordingUrl]);
  // Whether there is one may be asked.
  const columns = JSON.stringify(catalog).replaceAll("recording_url IS NOT NULL", "");
  expect([columns.includes("recording_url"), columns.includes("caller_zip")]).toEqual([false, true]);
});
const aRecordingUrl = "https://switch.example/r/1";
