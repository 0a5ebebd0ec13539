import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";

/** What the environment of the tests is told of a broker. */
export interface Brokers {
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface KafkaBroker extends Brokers {
  /** Ends it at once, as a loss of power would, but for what the system has yet to write. */
  kill(): Promise<void>;
  /** On the same ports, with what it had. */
  startAgain(): Promise<void>;
}

const pom = fileURLToPath(new URL("./pom.xml", import.meta.url));
/** Any 16 bytes in base64 name a cluster. */
const clusterId = "dHJ1bmtsaW5lLXRlc3RzIQ";
const login = { username: "trunkline", password: "for-tests" };
const readyWithinMs = 90_000;

/**
 * Starts Apache Kafka with a single broker in a temporary folder, on free ports of this machine: one in the clear, one
 * with TLS where users sign in.
 */
export async function startKafka(): Promise<KafkaBroker> {
  const jars = findJars();
  const folder = mkdtempSync(join(tmpdir(), "trunkline-kafka-"));
  const ports = { plain: await freePort(), secure: await freePort(), controller: await freePort() };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    makeCertificate(folder);
    const properties = join(folder, "server.properties");
    writeFileSync(properties, toProperties(folder, ports));
    const scram = `SCRAM-SHA-256=[name=${login.username},password=${login.password}]`;
    const format = ["kafka.tools.StorageTool", "format", "-t", clusterId, "-c", properties, "--add-scram", scram];
    execFileSync("java", [...javaOptions(jars), ...format], { stdio: ["ignore", "ignore", "inherit"] });
    const start = async () => {
      const broker = run(folder, [...javaOptions(jars), "kafka.Kafka", properties]);
      await untilReady(broker, folder, ports).catch(async (error: unknown) => {
        await end(broker);
        throw error;
      });
      return broker;
    };
    let broker = await start();
    const kill = () => end(broker);
    return {
      environment: toEnvironment(folder, ports),
      kill,
      async startAgain() {
        broker = await start();
      },
      async stop() {
        await kill();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

interface Ports {
  readonly plain: number;
  readonly secure: number;
  readonly controller: number;
}

function findJars(): string {
  for (const [program, debian] of [
    ["java", "default-jre-headless"],
    ["mvn", "maven"],
  ] as const) {
    try {
      execFileSync(program, ["-version"], { stdio: "ignore" });
    } catch {
      throw new Error(
        `${program} is missing: install it (Debian: apt-get install ${debian}), or set REDPANDA_BROKERS.`,
      );
    }
  }
  const folder = mkdtempSync(join(tmpdir(), "trunkline-jars-"));
  const list = join(folder, "classpath");
  const args = ["-B", "-q", "-f", pom, "dependency:build-classpath", `-Dmdep.outputFile=${list}`];
  try {
    execFileSync("mvn", args, { stdio: ["ignore", "ignore", "inherit"] });
    return readFileSync(list, "utf8").trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first compiler alone: a broker for tests is up sooner, and leaves the tests more of the machine. */
const javaOptions = (jars: string): string[] => [
  "-Xmx512m",
  "-XX:TieredStopAtLevel=1",
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
  "-cp",
  jars,
];

const storeOptions = (folder: string): string[] => [
  "-keystore",
  join(folder, "broker.p12"),
  "-storetype",
  "PKCS12",
  "-storepass",
  login.password,
];

function makeCertificate(folder: string): void {
  const keytool = (...args: string[]) => execFileSync("keytool", args, { stdio: ["ignore", "ignore", "ignore"] });
  const names = ["-dname", "CN=127.0.0.1", "-ext", "SAN=IP:127.0.0.1,DNS:localhost"];
  keytool("-genkeypair", "-alias", "broker", "-keyalg", "EC", "-validity", "3650", ...names, ...storeOptions(folder));
  keytool("-exportcert", "-rfc", "-alias", "broker", "-file", join(folder, "broker.pem"), ...storeOptions(folder));
}

const toProperties = (folder: string, { plain, secure, controller }: Ports): string =>
  [
    "process.roles=broker,controller",
    "node.id=1",
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    `listeners=PLAIN://127.0.0.1:${plain},SECURE://127.0.0.1:${secure},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=PLAIN://127.0.0.1:${plain},SECURE://127.0.0.1:${secure}`,
    "controller.listener.names=CONTROLLER",
    "inter.broker.listener.name=PLAIN",
    "listener.security.protocol.map=PLAIN:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT",
    `listener.name.secure.ssl.keystore.location=${join(folder, "broker.p12")}`,
    "listener.name.secure.ssl.keystore.type=PKCS12",
    `listener.name.secure.ssl.keystore.password=${login.password}`,
    "listener.name.secure.sasl.enabled.mechanisms=SCRAM-SHA-256",
    "listener.name.secure.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;",
    `log.dirs=${join(folder, "data")}`,
    "auto.create.topics.enable=false",
    // Each test makes topics of its own: small indexes, no waiting for members that will not come.
    "log.index.size.max.bytes=65536",
    "group.initial.rebalance.delay.ms=0",
    "offsets.topic.num.partitions=1",
    "offsets.topic.replication.factor=1",
    "transaction.state.log.num.partitions=1",
    "transaction.state.log.replication.factor=1",
    "transaction.state.log.min.isr=1",
    "",
  ].join("\n");

/** Its own process group: a terminal's Ctrl-C ends the tests first. */
function run(folder: string, args: readonly string[]): ChildProcess {
  const output = openSync(join(folder, "broker.log"), "a");
  return spawn("java", args, { cwd: folder, detached: true, stdio: ["ignore", output, output] });
}

async function untilReady(broker: ChildProcess, folder: string, { plain, secure }: Ports): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (!(await answers(plain)) || !(await answers(secure))) {
    if (broker.exitCode !== null || Date.now() > deadline) {
      const file = join(folder, "broker.log");
      const output = existsSync(file) ? readFileSync(file, "utf8").slice(-5000) : "";
      throw new Error(`Kafka did not start; it said:\n${output}`);
    }
    await pause(100);
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });

const toEnvironment = (folder: string, { plain, secure }: Ports) => ({
  TEST_REDPANDA_BROKERS: `127.0.0.1:${plain}`,
  TEST_REDPANDA_SECURE_BROKERS: `127.0.0.1:${secure}`,
  TEST_REDPANDA_CA: join(folder, "broker.pem"),
  TEST_REDPANDA_USERNAME: login.username,
  TEST_REDPANDA_PASSWORD: login.password,
});

async function end(broker: ChildProcess): Promise<void> {
  if (broker.exitCode !== null || broker.signalCode !== null) return;
  const ended = new Promise((resolve) => broker.once("exit", resolve));
  // Nothing of it is kept: it need not put its files in order.
  broker.kill("SIGKILL");
  await ended;
}
