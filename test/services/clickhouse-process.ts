import { DataType, load, open } from "ffi-rs";

// A ClickHouse server in this process: chdb's library holds the whole server, but its Node API starts no listener. The call
// below does not return while the server runs, so the process answers no message and is ended by a signal.
const [config = "", folder = "", port = ""] = process.argv.slice(2);

// Ends with its parent, whatever became of that.
const parentDeathSignal = 1;
const killed = 9;
open({ library: "libc", path: "libc.so.6" });
void load({
  library: "libc",
  funcName: "prctl",
  retType: DataType.I32,
  paramsType: [DataType.I32, DataType.U64],
  paramsValue: [parentDeathSignal, killed],
});

const daysInSeconds = 10 * 86_400;
const argv = [
  "clickhouse",
  `--config-file=${config}`,
  `--path=${folder}`,
  `--http_port=${port}`,
  "--listen_host=127.0.0.1",
  "--logger.level=warning",
  "--query",
  `SYSTEM START LISTEN HTTP;
   SELECT sum(sleepEachRow(1)) FROM numbers(${daysInSeconds}) SETTINGS max_block_size = 1 FORMAT Null`,
];
const platform = `${process.platform}-${process.arch}${process.platform === "linux" ? "-gnu" : ""}`;
open({ library: "clickhouse", path: new URL(import.meta.resolve(`@chdb/lib-${platform}/libchdb.so`)).pathname });
void load({
  library: "clickhouse",
  funcName: "chdb_query_cmdline",
  retType: DataType.U64,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [argv.length, argv],
});
