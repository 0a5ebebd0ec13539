import type { DemoFile } from "../../api/demo/installation.ts";
import { findIds, findWebhookKeys } from "./targets.ts";

export interface Carrier {
  readonly username: string;
  readonly password: string;
}

interface Fuzzed {
  readonly url: string;
  readonly organization: DemoFile["organizations"][number];
  readonly carrier: Carrier;
  readonly seed: number;
  readonly examples: number;
}

const text = (value: string): string => JSON.stringify(value);

/** Each kind of incoming webhook has a path of its own, and keys of its own. */
const toWebhookConfig = (type: string, key: string): string => `[[operations]]
include-path = "/${type.replaceAll("_", "-")}"
parameters = { "query.svc_auth_key" = ${text(key)} }
`;

/** How Schemathesis asks, and what must hold of answers. */
export const toGeneralConfig = ({ seed, examples }: Pick<Fuzzed, "seed" | "examples">): string => `seed = ${seed}
# Several at once load modules against each other.
workers = 1
continue-on-failure = true
request-timeout = 30.0
warnings = false

# The answer where a store is not there, or a question takes too long on a busy machine.
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 503]

[generation]
max-examples = ${examples}
database = "none"
no-shrink = true

# Which field may name what, and when, is more than a schema says: of well-formed requests many are refused.
[checks.positive_data_acceptance]
enabled = false
`;

/** Returns the settings of Schemathesis for a platform: also who asks, and which ids are there. */
export async function toConfig({ url, organization, carrier, ...asked }: Fuzzed): Promise<string> {
  const found = await findIds(url, organization);
  const names = [...new Set(found.filter((list) => list.ids.length > 0).map(({ parameter }) => parameter))];
  const idsOf = (name: string) => found.flatMap(({ parameter, ids }) => (parameter === name ? ids : []));
  const keys = await findWebhookKeys(url, organization);
  return `${toGeneralConfig(asked)}
[auth.openapi]
ApiKey = { api_key = ${text(organization.api_key)} }
AccessToken = { bearer = ${text(organization.access_token)} }
CarrierLogin = { username = ${text(carrier.username)}, password = ${text(carrier.password)} }
IncomingWebhookKey = { api_key = ${text(keys.get("call_data") ?? "")} }

${[...keys].map(([type, key]) => toWebhookConfig(type, key)).join("\n")}
# It would revoke its own key and token.
[[operations]]
include-path-regex = "^/api/v1/(api-keys|access-tokens)/"
phases.coverage.extra-data-sources.responses = false
phases.fuzzing.extra-data-sources.responses = false

# Held to be wrong and right: a step of one kind without a field of another, tags to remove without any to add, and an empty
# text, which webhooks that come in take for a missing one.
[[operations]]
include-path-regex = "^/(api/v1/call-flows|update-(revenue|tags|fields)$)"
checks.negative_data_rejection.enabled = false

# Half of the ids in paths are those of rows, so that more is reached than that there is no such row.
[dictionaries]
${names.map((name) => `${name} = { values = [${idsOf(name).map(text).join(", ")}] }`).join("\n")}

[parameters]
${names.map((name) => `"path.${name}" = { dictionary = "${name}", probability = 0.5 }`).join("\n")}
`;
}
