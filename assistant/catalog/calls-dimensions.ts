import { callId } from "./call-id.ts";
import { type Dimension, ownName } from "./field.ts";
import { buyerWords, campaignWords, publisherWords, targetWords } from "./parties.ts";

const parties: readonly Dimension[] = [
  ownName("campaign", "campaign_name", campaignWords),
  ownName("publisher", "publisher_name", [
    ...publisherWords,
    "who sends",
    "who sent",
    "who is sending",
    "who sends us",
    "who sent us",
    "who brings",
    "who brought",
  ]),
  ownName("buyer", "buyer_name", [...buyerWords, "who buys", "who bought"]),
  ownName("target", "target_name", targetWords),
  {
    name: "target_type",
    column: "target_type",
    words: ["target type", "type of target", "destination type"],
    definition: "What kind of destination the target is: number or sip.",
    values: [
      { value: "sip", words: ["sip", "sip endpoint", "sip target"] },
      { value: "number", words: ["(phone)? number (target/endpoint/destination)", "target that is a number"] },
    ],
  },
];

const callers: readonly Dimension[] = [
  callId,
  {
    name: "state",
    column: "caller_state",
    words: ["state", "caller state", "us state", "region", "geo", "geography", "territory", "part of the country"],
    definition: "The caller's US state, two letters.",
  },
  {
    name: "zip",
    column: "caller_zip",
    shape: "zip",
    words: ["ZIP code", "zip code", "zip", "caller zip", "postal code", "zipcode", "postcode", "post code"],
    definition: "The caller's ZIP code.",
  },
  {
    name: "area_code",
    column: "CASE WHEN caller_id LIKE '+1%' THEN substr(caller_id, 3, 3) END",
    shape: "number",
    words: ["area code", "npa", "caller area code", "(dialing/dial/phone) code", "(phone number/number/phone)? prefix"],
    definition: "The three digits after +1 of the caller's number; empty for callers from elsewhere.",
  },
  {
    name: "caller",
    column: "caller_id",
    shape: "phone",
    words: [
      "caller",
      "caller id",
      "caller number",
      "ani",
      "phone number",
      "caller phone number",
      "caller ids",
      "number (that/which/who) (called/phoned/rang) (us)?",
    ],
    definition: "The caller's phone number, with + and country code.",
  },
  {
    name: "number",
    column: "number",
    own: true,
    shape: "phone",
    words: [
      "tracking number",
      "number",
      "number called",
      "(dialed/called/inbound/promo/toll free/tollfree/hotline/advertised) number",
      "(phone/inbound/tracking/toll free/tollfree) line",
      "hotline",
      "(number/line) (that/which)? (people/caller/they) (~dial/~call/~ring)",
    ],
    definition: "The tracking number that was called.",
  },
];

const ends: readonly Dimension[] = [
  {
    name: "status",
    column: "status",
    words: ["status", "call status"],
    definition: "incoming (no target has answered yet), connected (in progress), completed or failed.",
  },
  {
    name: "failure_reason",
    column: "failure_reason",
    own: true,
    words: ["failure reason", "reason", "reason for failure", "fail reason", "reason of failure", "failure cause"],
    definition: "Why no target answered; empty for connected calls.",
    reasonOf: [{ measure: "failed_calls" }],
    values: [
      {
        value: "caller_hangup",
        words: [
          "abandoned",
          "caller ~give up",
          "caller hangup",
          "abandoned by the caller",
          "(where the caller/where caller/when the caller/when caller/the caller/caller/people)? (~hang/~give) up before " +
            "(we/they were/anyone/anybody/someone/somebody/a target/an agent/being/an)? " +
            "(answer/answered/answering/connect/connected/connected them/pick up/picked up/connection)",
          "(who/that) (hung/gave) up before (we/anyone/anybody/someone/somebody/being) (answered/connected/picked up)",
          "(where/when)? (the)? (caller/people)? (hung/hang/hangs) up on us before (we/anyone/anybody/someone/somebody) (answered/picked up)",
          "(~hang up/~give up/~drop off/got tired) (while/of)? (waiting/on hold)",
          "(~quit/~drop off/~bail out) before (they were answered/being answered/an answer/we answered/anyone answered/anybody answered/somebody answered)",
        ],
      },
      { value: "busy", words: ["busy", "busy signal", "(line)? (was/were/being)? engaged", "line (was/were/is) busy"] },
      { value: "no_answer", words: ["no answer", "rang out"] },
      {
        value: "no_eligible_route",
        words: [
          "no eligible route",
          "no route",
          "unrouted",
          "unroutable",
          "not routed",
          "rejected (with/for/due to/because of) no eligible route",
          "(with/~find/~get/we had) no route (for)?",
          "without a route",
          "~find no (buyer/target)",
          "(we/that)? (couldnt/could not/cant/cannot) (be)? (route/routed)",
          "no (buyer/target/agent/one/destination) (was/is/being)? available",
          "nobody (was/is/being)? available",
        ],
      },
      {
        value: "tcpa_blocked",
        words: ["tcpa blocked", "tcpa", "tcpa block", "blocked (by/for/under/because of/due to) (the)? tcpa"],
      },
    ],
  },
  {
    name: "ended_by",
    column: "termination_by",
    words: [
      "who hung up",
      "who (usually/mostly/typically/normally)? (is/been)? (~hang up/~end) (first/the call)?",
      "~hang up (first/more/more often/most/most often)",
      "(who/how) (do/did)? (call/the call)? ~end",
      "termination",
      "ended by",
      "hung up by",
      "terminated by",
      "hangup party",
      "hangup",
    ],
    definition: "Who ended the call: caller, target or system.",
    values: [
      {
        value: "caller",
        words: [
          "caller hung up",
          "(where/when/if/that) (the)? caller (~hang up/ended) (it/the call)?",
          "(the)? caller (ended/ends/disconnected) (it/the call)?",
          "(hung up/ended/terminated/disconnected/cut off) by (the)? (caller/people)",
        ],
      },
      {
        value: "target",
        among: ["buyer", "agent", "us"],
        words: [
          "target (hung up/hangup)",
          "(where/when/if/that) (the)? (target/agent) (~hang up/ended) (it/the call)?",
          "(the)? (target/agent) (ended/ends/disconnected) (it/the call)?",
          "(hung up/ended/terminated/disconnected/cut off) by (the)? (target/agent/rep)",
        ],
      },
      {
        value: "system",
        words: [
          "system",
          "(ended/hung up/terminated/disconnected/cut off) by (the)? system",
          "system (hung up/hangup)",
        ],
      },
    ],
  },
  {
    name: "formula",
    column: "rtb_id",
    words: ["rtb formula id", "formula id"],
    definition: "The id of the RTB formula that the call was sent to; empty for targets of one's own.",
  },
];

export const callDimensions: readonly Dimension[] = [...parties, ...callers, ...ends];
