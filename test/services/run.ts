import { spawn } from "node:child_process";
import { installSchemathesis } from "../fuzz/schemathesis.ts";
import { installPythonEnvironment } from "../python-environment.ts";
import { startClickhouseServer } from "./clickhouse.ts";
import { startKafka } from "./kafka.ts";
import { clickhouseTests, platformTests } from "./platform-tests.ts";
import { startPostgres } from "./postgres.ts";

/** What the tests are told of services, and what stops those that were started for them. */
interface Services {
  readonly environment: Readonly<Record<string, string>>;
  stop(): void | Promise<void>;
}

interface TestSuite {
  readonly services: readonly (() => Promise<Services>)[];
  readonly options: readonly string[];
  readonly files: readonly string[];
}
interface Program {
  readonly services: readonly (() => Promise<Services>)[];
  readonly command: readonly string[];
}

/** Suites that do more, or the same by other means, where the services are there; a platform on brokers has both. */
const suites = {
  postgres: {
    services: [openDatabase],
    options: [],
    files: [
      "test/api/config/",
      "test/api/database/",
      "test/api/serve/",
      "test/api/app.test.ts",
      "test/api/telephony/call.test.ts",
      "test/api/webhooks/history",
      "test/api/webhooks/receive/shared-database.test.ts",
      "test/api/routing/peers/two-platforms.test.ts",
      "test/api/export-import/",
    ],
  },
  kafka: {
    services: [openDatabase, openBrokers],
    // They start processes of their own, and kill them, and members of groups must be heard in time.
    options: ["--no-file-parallelism"],
    files: [
      "test/ingest/log/kafka/",
      "test/ingest/log/log-kafka",
      "test/ingest/lifecycle/foreign-producer",
      "test/warehouse/loader-",
      "test/api/distributed",
      "test/api/two-of-each",
      "test/api/outages",
      "test/api/commands/dead-letters",
      "test/api/telephony/call.test.ts",
      "test/api/commands/migrate",
      "test/compose-yaml.test.ts",
    ],
  },
  clickhouse: {
    services: [openClickhouse],
    options: ["--no-file-parallelism"],
    files: clickhouseTests(),
  },
  python: {
    services: [openPython, openClickhouse],
    options: [],
    files: ["test/api/fixtures/own-tools", "test/fuzz/", "test/warehouse/bi-users/driver"],
  },
  attacks: {
    services: [],
    command: [process.execPath, "--import", "tsx", "test/attacks/run.ts"],
  },
  // Whatever a platform does, with nothing of it embedded.
  platforms: {
    services: [openDatabase, openBrokers, openClickhouse],
    options: ["--no-file-parallelism"],
    files: platformTests(),
  },
} as const satisfies Record<string, TestSuite | Program>;
type Suite = keyof typeof suites;

const usage = `npm run test:services -- [SUITE] [FILTER…] [options of vitest]

Starts servers and tests what runs on them; without a name all suites, one after the other.
A filter is a part of the names of files, which are run instead of the suite's.

  postgres    PostgreSQL: config, histories and whatever several processes share
  kafka       Apache Kafka beside it: the event log, processes that are killed, brokers that stop
  clickhouse  ClickHouse with the users of compose.yaml: all that reads and writes a warehouse, the
              guard on analysts' SQL, export and import, the evaluation's questions
  python      the fixtures' queries in DuckDB's shell, in Python and in the notebook; that the run
              against the OpenAPI document finds faults; Superset's driver on ClickHouse
  attacks     how long calls and pings wait beside SELECTs that cost all they can; how an embedded
              installation starts whose files are damaged
  platforms   every test of a whole platform, on both and on ClickHouse; ten minutes on two cores

What runs already is used where the environment names it: TEST_DATABASE_URL, REDPANDA_BROKERS,
TEST_CLICKHOUSE_URL. Else PostgreSQL, Java and Maven for Kafka, or Python 3 with venv have to be
installed; ClickHouse comes with npm ci.`;

const [named, ...rest] = process.argv.slice(2);
const isSuite = (text: string | undefined): text is Suite => text !== undefined && text in suites;
const given = isSuite(named) ? rest : process.argv.slice(2);

if (given.some((each) => each === "--help" || each === "-h")) process.stdout.write(`${usage}\n`);
else await runAll(isSuite(named) ? [named] : (Object.keys(suites) as Suite[]));

async function runAll(wanted: readonly Suite[]): Promise<void> {
  // A terminal's Ctrl-C reaches vitest too: it ends, then the services are stopped.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
  for (const suite of wanted) {
    process.exitCode = await runSuite(suite);
    if (process.exitCode !== 0) break;
  }
}

async function runSuite(suite: Suite): Promise<number> {
  const started: Services[] = [];
  try {
    for (const open of suites[suite].services) started.push(await open());
    const { REDPANDA_BROKERS: _, TEST_CLICKHOUSE_URL: __, ...env } = process.env;
    return await runTests(suite, Object.assign(env, ...started.map(({ environment }) => environment)));
  } finally {
    for (const { stop } of started.reverse()) await stop();
  }
}

async function openDatabase(): Promise<Services> {
  const { TEST_DATABASE_URL: given } = process.env;
  const { url, stop } = given ? { url: given, stop: () => undefined } : startPostgres();
  return { environment: { TEST_DATABASE_URL: url }, stop };
}

async function openBrokers(): Promise<Services> {
  const { REDPANDA_BROKERS: given } = process.env;
  return given ? { environment: { TEST_REDPANDA_BROKERS: given }, stop: () => undefined } : startKafka();
}

async function openClickhouse(): Promise<Services> {
  const { TEST_CLICKHOUSE_URL: given } = process.env;
  if (given) return { environment: { TEST_CLICKHOUSE_URL: given }, stop: () => undefined };
  const { url, guardSettings, stop } = await startClickhouseServer();
  return { environment: { TEST_CLICKHOUSE_URL: url, ...guardSettings }, stop };
}

/** What engineers query fixtures with, from the Python package index; the shell comes of it, too. */
async function openPython(): Promise<Services> {
  const packages = ["duckdb==2.0.*", "duckdb-cli==1.5.*", "pandas==3.*", "nbclient==0.11.*", "ipykernel==7.*"];
  const environment = {
    TEST_PYTHON: installPythonEnvironment("python-duckdb", packages),
    TEST_SCHEMATHESIS: installSchemathesis(),
    // Of the version that Superset has.
    TEST_CLICKHOUSE_DRIVER: installPythonEnvironment("clickhouse-driver", [
      "clickhouse-connect==1.12.*",
      "sqlalchemy==1.4.*",
    ]),
  };
  return { environment, stop: () => undefined };
}

function runTests(suite: Suite, env: NodeJS.ProcessEnv): Promise<number> {
  const terms: TestSuite | Program = suites[suite];
  const [program = "", ...args] =
    "command" in terms
      ? [...terms.command, ...given]
      : ["npx", "vitest", "run", ...terms.options, ...toVitest(terms.files)];
  const running = spawn(program, args, { env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    running.once("error", reject);
    running.once("close", (code) => resolve(code ?? 1));
  });
}

/** Filters come before options, and stand in place of the suite's files: vitest would add theirs. */
function toVitest(files: readonly string[]): readonly string[] {
  const isFiltered = given[0] !== undefined && !given[0].startsWith("-");
  return isFiltered ? given : [...files, ...given];
}
