import type { Dialect } from "../assistant/compile/dialect.ts";
import type { ReportDialect } from "../warehouse/calls/report-dialect.ts";
import type { RtbDialect } from "../warehouse/rtb/dialect.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { ConfigContext } from "./config/open-config.ts";

/** The SQL dialects of the warehouse's engine. */
export interface Dialects {
  readonly report: ReportDialect;
  readonly rtb: RtbDialect;
  readonly assistant: Dialect;
}

/** The dependencies that every part of a process that serves the API has. */
export interface AppContext extends ConfigContext {
  readonly warehouse: Warehouse;
  readonly dialects: Dialects;
}
