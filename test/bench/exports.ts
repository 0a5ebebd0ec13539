import { columnsOf } from "../../api/exports/columns.ts";
import { createExports } from "../../api/exports/export.ts";
import { type ExportFormat, exportFormats } from "../../api/exports/formats.ts";
import { callRow, toCallRow } from "../../api/reporting/call-row.ts";
import { toCallList } from "../../warehouse/calls/call-log.ts";
import type { Bench } from "./bench.ts";
import { fewCalls, largeOrg, manyCalls, openCalls, smallOrg } from "./calls.ts";
import type { Subject } from "./compare.ts";

const sampleEveryMs = 20;
const mebibyte = 1024 * 1024;

/** What exports of the call log cost as it grows, a row, and what they hold in memory. */
export async function openExportBench(): Promise<Bench> {
  const { reports: store, close } = await openCalls();
  const columns = columnsOf(callRow);
  const { toExport } = createExports();

  function subject(format: ExportFormat, orgId: typeof largeOrg, units: number): Subject {
    let peak = 0;
    return {
      name: `${units} calls as ${format}`,
      unit: "row",
      units,
      async round() {
        const list = toCallList(store, { orgId, filter: { span: {} } });
        const { body } = await toExport({ store, list, columns, toRow: toCallRow, name: "calls" }, { format });
        const before = process.memoryUsage.rss();
        const sampling = setInterval(() => {
          peak = Math.max(peak, process.memoryUsage.rss() - before);
        }, sampleEveryMs);
        let bytes = 0;
        for await (const part of body) bytes += part.length;
        clearInterval(sampling);
        if (bytes < units * 10) throw new Error(`${format}: ${bytes} bytes`);
      },
      peakMb: () => peak / mebibyte,
    };
  }

  return {
    comparisons: exportFormats.map((format) => ({
      title: `An export of all calls as ${format}, of ${fewCalls} and of ${manyCalls}`,
      rounds: 1,
      warmUps: 0,
      baseline: subject(format, smallOrg, fewCalls),
      subjects: [subject(format, largeOrg, manyCalls)],
    })),
    close,
  };
}
