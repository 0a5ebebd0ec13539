/** Likewise, of what carriers and switches send, by their own names. */
export const carrierTexts: Readonly<Record<string, string>> = {
  CallSid: "The carrier's id of the call.",
  ParentCallSid: "The caller's leg, in reports on a leg that was dialed.",
  From: "The caller's number, or a word where it is withheld.",
  To: "The number that was dialed.",
  CallStatus: "State of the caller's leg.",
  DialCallStatus: "What the dial came to.",
  DialCallDuration: "Seconds that the dialed leg lasted.",
  DialBridged: "`false` where both legs were never connected.",
  Digits: "Digits that the caller has pressed.",
  RecordingUrl: "Address of the recording.",
  RecordingStatus: "State of the recording.",
  Timestamp: "When it happened, by the carrier's clock.",
  CallDuration: "Seconds that the leg lasted.",
  verb: "What the switch is to do.",
  call_status: "State of the caller's leg.",
  dial_call_status: "What the dial came to.",
};
