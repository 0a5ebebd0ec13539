import type { Dialect } from "../assistant/compile/dialect.ts";
import type { ReportDialect } from "../warehouse/calls/report-dialect.ts";
import type { RtbDialect } from "../warehouse/rtb/dialect.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { ConfigParts } from "./config/open-config.ts";

/** What the warehouse's engine says differently. */
export interface Dialects {
  readonly report: ReportDialect;
  readonly rtb: RtbDialect;
  readonly assistant: Dialect;
}

/** What every part of the API is made with. */
export interface Parts extends ConfigParts {
  readonly warehouse: Warehouse;
  readonly dialects: Dialects;
}
