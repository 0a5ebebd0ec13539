import { type MessagePort, parentPort } from "node:worker_threads";
import { type SqliteFile, serveSqlite } from "./sqlite-service.ts";

/** A file to serve and the port to serve it over. */
export interface ServedFile {
  readonly file: SqliteFile;
  readonly port: MessagePort;
}

// Entry of the worker thread of config databases: the process goes on while it waits for the disk.
parentPort?.on("message", ({ file, port }: ServedFile) => void serveSqlite(file, port));
