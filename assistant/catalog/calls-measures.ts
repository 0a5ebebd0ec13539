import { actives, connected, counts } from "./calls-counts.ts";
import { moneyMeasures } from "./calls-money.ts";
import { callRates } from "./calls-rates.ts";
import { type Measure, sum } from "./field.ts";

/** "Until somebody picked up". */
const untilAnswered =
  "(until/before) (somebody/someone/anyone/an agent/agent/a target/target/we/a buyer/buyer) (~pick up/~answer)";

const lengths: readonly Measure[] = [
  {
    name: "avg_duration",
    unit: "seconds",
    aggregate: { kind: "average", column: "duration" },
    words: [
      "average duration",
      "average call duration",
      "average call length",
      "average length",
      "average call time",
      "call duration",
      "call length",
      "duration",
      "how long",
      "how long is the average call",
      "how long is an average call",
      "how long are call",
      "how long were call",
    ],
    definition: "The mean length of ended calls from start to end, IVR included.",
  },
  {
    name: "acl",
    unit: "seconds",
    aggregate: { kind: "average", column: "connect_duration", where: connected },
    words: [
      "average connected duration",
      "acl",
      "average talk time",
      "average connected time",
      "average connect duration",
      "average handle time",
      "average talk duration",
      "aht",
      "handle time",
    ],
    definition: "Average call length: the mean time for which connected calls that have ended were connected.",
  },
  {
    name: "total_duration",
    unit: "seconds",
    aggregate: sum("duration"),
    words: ["total duration", "total call duration", "total call time", "total call length", "total length"],
    definition: "The lengths of all calls added up.",
  },
  {
    name: "talk_time",
    unit: "seconds",
    aggregate: sum("connect_duration"),
    words: [
      "talk time",
      "total talk time",
      "connected time",
      "total connected time",
      "connected duration",
      "total connected duration",
      "(minute/min/hour) of (talk time/talk/talking)",
      "talk (minute/min)",
      "connected minute",
    ],
    definition: "The time for which calls were connected, added up.",
  },
  {
    name: "avg_wait_time",
    unit: "seconds",
    aggregate: { kind: "average", column: `CASE WHEN ${connected} THEN duration - connect_duration END` },
    words: [
      "average wait time",
      "average speed of answer",
      "asa",
      "average time to answer",
      "average ring time",
      "wait time",
      "time to answer",
      "average answer time",
      "(average)? pickup time",
      "(average)? (wait)? (time)? before pickup",
      "(average)? wait (time)? (until/till/before) (a/the)? target (answered/answers)",
      "how (fast/quickly/quick) ((do/did) we ~answer (our)? (caller/call))?",
      `how long (were caller waiting/are caller waiting/did caller wait/do caller wait/does a caller wait/caller wait/caller waited) (on average)? (${untilAnswered})?`,
      `how long (are/were) caller on hold (${untilAnswered})?`,
      "how long do caller wait on average",
      "(average)? wait (time)? (until/till/before) (a/the)? (target/agent) (~pick up/~answer)",
      `(how long/time) ${untilAnswered}`,
      "how long (does/did) it take (us)? to (answer/pick up/connect) (a call/call/the phone/the call)?",
      "(average)? time (to/before) (answer/pick up/connect)",
    ],
    definition:
      "The mean time until a target answered, of connected calls that have ended: duration less connected duration.",
  },
  {
    name: "longest_duration",
    unit: "seconds",
    aggregate: { kind: "highest", column: "duration" },
    words: ["longest duration", "maximum duration", "longest call duration", "maximum call duration"],
    definition: "The length of the longest call.",
  },
  {
    name: "median_duration",
    unit: "seconds",
    aggregate: { kind: "quantile", column: "duration", level: 0.5 },
    words: ["median duration", "median call duration", "median call length"],
    definition: "Half of the calls were shorter, half longer.",
  },
  {
    name: "avg_attempts",
    unit: "number",
    aggregate: { kind: "average", column: "attempts" },
    words: [
      "average attempts",
      "average number of attempt",
      "dial attempt per call",
      "attempt per call",
      "dial per call",
      "average dial",
      "average dial attempt",
    ],
    definition: "Dials begun per call.",
  },
  {
    name: "dial_attempts",
    unit: "count",
    aggregate: sum("attempts"),
    words: ["dial attempt", "total dial attempt", "total attempt", "dial"],
    definition: "Dials begun, added up.",
  },
];

export const callMeasures: readonly Measure[] = [...counts, ...moneyMeasures, ...lengths, ...callRates, ...actives];
