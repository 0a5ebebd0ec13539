import { type EnumValue, ownName, type Subject } from "./field.ts";

const actor = "coalesce(actor_name, actor_id)";

const actions: readonly EnumValue[] = [
  { value: "create", words: ["created", "creation"] },
  { value: "update", words: ["updated", "edited", "modified", "modification"] },
  { value: "delete", words: ["deleted", "deletion", "removed"] },
  { value: "pause", words: ["paused", "pausing"] },
  { value: "resume", words: ["resumed", "unpaused", "resumption"] },
  { value: "expire_pause", words: ["expired pause", "pause expired", "expire pause"] },
  { value: "adjust", words: ["payout adjustment", "adjusted", "adjustment"] },
  { value: "rotate_key", words: ["rotated key", "key rotation", "rotate key", "rotated"] },
];

const spaced = (value: string): string => value.replaceAll("_", " ");

/** Resources whose names also stand in questions about other records; here they say what was changed. */
const entityTypes: readonly EnumValue[] = [
  ...["campaign", "publisher", "buyer", "target", "ivr"].map((value) => ({ value, words: [value] })),
  ...["outgoing_webhook", "incoming_webhook"].map((value) => ({ value, words: ["webhook", spaced(value)] })),
  ...["routing_plan", "predictive_routing_plan", "rtb_formula", "rtb_group", "number_pool", "call_flow"].map(
    (value) => ({ value, words: [spaced(value), value] }),
  ),
  ...["blocked_caller", "custom_tag", "inbound_rtb"].map((value) => ({ value, words: [spaced(value)] })),
  { value: "number", words: ["tracking number", "phone number"] },
];

/** Changes of the organization's setup, and who made them. */
export const auditSubject: Subject = {
  name: "audit_logs",
  time: "created_at",
  noun: { one: "change", many: "changes" },
  words: [
    "change",
    "audit log",
    "audit entry",
    "audit log entry",
    "change log",
    "audit record",
    "audit event",
    "audit",
    "config change",
    "configuration change",
    "setting change",
    "setting",
    "changed",
    "changing",
    "been changing",
    "touched",
    "audit trail",
    "configuration",
    "config",
    "changes made",
    "changes were made",
    "per the audit log",
    "according to the audit log",
    "in the audit log",
  ],
  defaultMeasure: "changes",
  length: null,
  measures: [
    {
      name: "changes",
      unit: "count",
      aggregate: { kind: "count" },
      words: ["audit log entry", "number of change"],
      definition: "Entries of the audit log: one for each change of something in the setup.",
    },
    {
      name: "actors",
      unit: "count",
      aggregate: { kind: "distinct", column: "actor_id" },
      words: [
        "actor",
        "number of actor",
        "how many people",
        "how many actor",
        "different actor",
        "how many different actor",
        "how many user",
      ],
      definition: "Different users, API keys and system parts that changed something.",
    },
    {
      name: "changed_entities",
      unit: "count",
      aggregate: { kind: "distinct", column: "entity_id" },
      words: ["changed entity", "entity changed", "number of entity", "how many entity"],
      definition: "Different things that were changed.",
    },
  ],
  dimensions: [
    {
      ...ownName("actor", actor, [
        "user",
        "by whom",
        "who",
        "who changed",
        "who made",
        "changed by",
        "who made them",
        "who made the change",
        "who did it",
        "who did them",
        "people",
        "person",
      ]),
      definition: "Who made the change: the name of the user or the API key, else its id.",
    },
    {
      name: "actor_type",
      column: "actor_type",
      words: ["actor type", "type of actor", "kind of actor"],
      definition: "api_key, user or system.",
      values: [
        {
          value: "api_key",
          words: ["api", "by api", "through the api", "by (an/the)? api key", "made by (an/the)? api key"],
          among: ["api key", "key", "api"],
        },
        {
          value: "user",
          words: [
            "made by user",
            "made by a user",
            "by a user",
            "(made/done)? by hand",
            "made by real user",
            "real user",
            "human",
            "real people",
            "human user",
          ],
          among: ["user", "people", "person", "human", "somebody"],
        },
        { value: "system", words: ["system", "by the system", "automatic", "automatically"] },
      ],
    },
    {
      name: "action",
      column: "action",
      own: true,
      words: [
        "action",
        "change type",
        "type of change",
        "kind of change",
        "kind of action",
        "type of action",
        "operation",
        "what (did/do/does) (they/he/she/it) do",
        "what (they/he/she) (did/do)",
        "what (was/were/has been/had been) done",
      ],
      definition: "create, update, delete, pause, resume, expire_pause, adjust or rotate_key.",
      values: actions,
    },
    {
      name: "entity_type",
      column: "entity_type",
      own: true,
      words: ["entity type", "type of entity", "kind of entity", "resource type", "object type", "resource"],
      definition: "What kind of thing was changed, such as campaign, target or buyer.",
      values: entityTypes,
    },
    {
      ...ownName("entity", "entity_name", ["object", "what changed", "item"]),
      // A kept question is named by words that ask it.
      ownWhere: "entity_type NOT IN ('saved_question', 'approved_question')",
      definition: "The name of what was changed.",
    },
    {
      name: "source_ip",
      column: "source_ip",
      words: ["source ip", "ip address", "ip", "address"],
      definition: "The address that the change was asked for from.",
    },
  ],
  flags: [
    {
      name: "by_system",
      condition: "actor_type = 'system'",
      measure: "changes",
      words: ["made by the system"],
      definition: "No person and no API key made the change.",
    },
  ],
  quantities: [],
  listing: [
    "created_at",
    "actor_type",
    "actor_name",
    "action",
    "entity_type",
    "entity_name",
    "entity_id",
    "source_ip",
    "request_id",
    "id",
  ],
};
