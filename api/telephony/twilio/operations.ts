import { z } from "zod";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { aboutCall, aboutDial, aboutLeg, aboutTurn, type CarrierDeps } from "../carriers.ts";
import { twilioAccess } from "./access.ts";
import {
  dialActionForm,
  gatherForm,
  onDialAction,
  onGather,
  onRecording,
  onStatus,
  onVoice,
  recordingForm,
  statusForm,
  twilioPath,
  voiceForm,
} from "./callbacks.ts";

/**
 * The webhooks of Twilio, and of carriers that speak as it does. Only `voice` and `status` are set at the carrier; the
 * other addresses come with our answers and name the call.
 */
export function twilioOperations(deps: CarrierDeps): Operation[] {
  const about = {
    method: "post",
    tag: "Telephony",
    limit: "none",
    status: 200,
    errors: [404],
    bodyType: "form",
    answerType: "xml",
    answer: z.string(),
    access: twilioAccess(deps),
  } as const;
  return [
    defineOperation({
      ...about,
      path: `${twilioPath}/voice`,
      name: "twilioVoice",
      summary: "A caller dials a tracking number: set it as the number's voice webhook",
      body: voiceForm,
      example: { CallSid: "CA0123456789abcdef0123456789abcdef", From: "+12125550123", To: "+18005550100" },
      handle: ({ body }) => onVoice(body, deps),
    }),
    defineOperation({
      ...about,
      path: `${twilioPath}/dial-action`,
      name: "twilioDialAction",
      summary: "A dial is over; the answer says what to do next",
      query: aboutDial,
      body: dialActionForm,
      example: { CallSid: "CA0123456789abcdef0123456789abcdef", CallStatus: "in-progress", DialCallStatus: "busy" },
      handle: ({ query, body }) => onDialAction(query, body, deps),
    }),
    defineOperation({
      ...about,
      path: `${twilioPath}/gather`,
      name: "twilioGather",
      summary: "A menu has a digit, or its time was up; the answer says what to do next",
      query: aboutTurn,
      body: gatherForm,
      example: { CallSid: "CA0123456789abcdef0123456789abcdef", Digits: "1" },
      handle: ({ query, body }) => onGather(query, body, deps),
    }),
    defineOperation({
      ...about,
      path: `${twilioPath}/status`,
      name: "twilioStatus",
      summary: "A leg changes its status: set it as the number's status callback, so that the caller's hangup is heard",
      query: aboutLeg,
      body: statusForm,
      example: { CallSid: "CA0123456789abcdef0123456789abcdef", CallStatus: "completed" },
      handle: ({ query, body }) => onStatus(query, body, deps),
    }),
    defineOperation({
      ...about,
      path: `${twilioPath}/recording`,
      name: "twilioRecording",
      summary: "A recording can be fetched",
      query: aboutCall,
      body: recordingForm,
      example: {
        CallSid: "CA0123456789abcdef0123456789abcdef",
        RecordingStatus: "completed",
        RecordingUrl: "https://carrier.example/recordings/RE0123456789abcdef",
      },
      handle: ({ query, body }) => onRecording(query, body, deps),
    }),
  ];
}
