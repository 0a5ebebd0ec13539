import { onTestFinished } from "vitest";
import { engineFolder } from "./chdb.ts";
import { openFront } from "./clickhouse-front.ts";

interface Given {
  /** Requests that sign in otherwise are refused, as a server refuses them. */
  readonly password?: string;
}

/** ClickHouse's engine in this process, so that the whole platform runs on it over the wire; gone after the test. */
export async function startClickhouse({ password = "" }: Given = {}) {
  const { port, close, setPassword, goAway, comeBack } = await openFront({ folder: engineFolder() });
  onTestFinished(close);
  setPassword(password);
  return { url: `http://127.0.0.1:${port}`, goAway, comeBack };
}
