import { type MessagePort, parentPort } from "node:worker_threads";
import { type SqliteFile, serveSqlite } from "./sqlite-service.ts";

/** A file to serve, and the port to serve it over. */
export interface ServedFile {
  readonly file: SqliteFile;
  readonly port: MessagePort;
}

// The thread of config databases: while it waits for the disk, the rest of the process goes on.
parentPort?.on("message", ({ file, port }: ServedFile) => void serveSqlite(file, port));
