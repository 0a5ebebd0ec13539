import { openFront } from "./clickhouse-front.ts";

/** What the process is told while it runs: `dies` ends it in the next insert into a table that lasts. */
export interface Order {
  readonly password?: string;
  readonly dies?: "amid" | "after";
}

// ClickHouse's engine in a process of its own, so that it can be killed.
const [folder = "", port = "0"] = process.argv.slice(2);
let dies: Order["dies"];

/** As a loss of power would: nothing is tidied, and no answer follows. */
const die = () => process.kill(process.pid, "SIGKILL");

const front = await openFront({
  ...{ folder, port: Number(port) },
  async around(statement, work) {
    if (dies === undefined || !statement.startsWith("INSERT INTO stored_")) return work();
    const working = work();
    // The engine has it by then, on a thread of its own.
    if (dies === "amid") setImmediate(die);
    const done = await working;
    die();
    return done;
  },
});
process.on("message", (order: Order) => {
  if (order.password !== undefined) front.setPassword(order.password);
  dies = order.dies;
  process.send?.("done");
});
// It ends with the tests, whatever became of them.
process.once("disconnect", () => process.exit());
process.send?.(front.port);
