// @module-tag clickhouse
import { describeGuard } from "../../contract/guarded-select.ts";
import { openPoliced } from "./policed.ts";
import { wantedOfClickhouse } from "./wanted.ts";

describeGuard("ClickHouse, by the user that compose.yaml makes for it", {
  open: async () => (await openPoliced()).warehouse,
  wanted: wantedOfClickhouse,
  endless:
    "SELECT count(*) FROM calls AS a, calls AS b, calls AS c, calls AS d, calls AS e WHERE a.duration + b.duration + c.duration + d.duration + e.duration < 0",
});
