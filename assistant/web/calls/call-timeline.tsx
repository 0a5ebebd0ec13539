import { writeFigure } from "../../phrasing/write-figure.ts";
import { formatClock } from "../format-time.ts";
import { useZone } from "../session-context.ts";
import type { Line } from "./call.ts";
import { actorWords, lineWords } from "./line-words.ts";

const offsetWords = (ms: number): string => (ms < 0 ? `${writeFigure.ms(ms)}` : `+${writeFigure.ms(ms)}`);

/** All that happened, in order: time since the call came in, the time of day, and what it was. */
export const Timeline = ({ lines, names }: { lines: readonly Line[]; names: ReadonlyMap<string, string> }) => {
  const zone = useZone();
  return (
    <>
      <p class="soft">Times in {zone}</p>
      <ol class="timeline">
        {lines.map((line) => (
          <li key={line.seq} data-source={line.source}>
            <span class="timeline-when soft">
              <time dateTime={line.at} title={line.at}>
                {formatClock(line.at, zone)}
              </time>
              <span>{offsetWords(line.offset_ms)}</span>
            </span>
            <span>
              {lineWords(line, names)}
              {line.event === "payout.adjusted" && (
                <span class="soft">
                  {" "}
                  by {actorWords(line.detail["by"])}
                  {typeof line.detail["reason"] === "string" && `: ${line.detail["reason"]}`}
                </span>
              )}
              {/^call\./.test(line.event) && <code class="soft"> {line.event}</code>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
};
