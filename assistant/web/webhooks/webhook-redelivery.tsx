import { useEffect, useState } from "preact/hooks";
import { toDates } from "../../phrasing/dates.ts";
import { nowMs } from "../clock.ts";
import { formatShort } from "../format-time.ts";
import { formatUnit } from "../overview/wording.ts";
import { spanParameters, spanWords } from "../period/spans.ts";
import { errorText } from "../problem.ts";
import { usePolled } from "../routing/use-polled.ts";
import { useSession, useZone } from "../session-context.ts";
import { usePolling } from "../use-polling.ts";
import { type At, countOf, type Redelivery, redeliveriesSchema, redeliverySchema, toHash } from "./webhooks.ts";

const path = "/v1/webhooks/redeliveries";
const followMs = 1500;

const count = (value: number | undefined): string => formatUnit(value ?? 0, "count");

const progressWords = ({ state, count: all, delivered = 0, failed = 0 }: Redelivery): string => {
  const so = `${count(delivered)} delivered, ${count(failed)} failed of ${countOf(all, "delivery", "deliveries")}`;
  if (state === "running") return `Under way: ${so}.`;
  return state === "cancelled" ? `Cancelled: ${so}.` : `Done: ${so}.`;
};

/** A redelivery that is under way or over, by the id that the address has. */
const Progress = ({ id, onEnd }: { id: string; onEnd: () => void }) => {
  const { client } = useSession();
  const [found, setFound] = useState<Redelivery | null>(null);
  const [words, setWords] = useState("");
  const isRunning = found === null || found.state === "running";
  const read = async (): Promise<void> => {
    try {
      const next = await client.get(`${path}/${encodeURIComponent(id)}`, redeliverySchema);
      setFound(next);
      setWords("");
      if (next.state !== "running") onEnd();
    } catch (error) {
      setWords(errorText(error, 404));
    }
  };
  usePolling(read, followMs, isRunning);
  const cancel = async (): Promise<void> => {
    try {
      setFound(await client.send({ method: "DELETE", path: `${path}/${encodeURIComponent(id)}` }, redeliverySchema));
    } catch (error) {
      setWords(errorText(error, 403, 404));
    }
  };
  return (
    <div class="hook-outcome">
      {found !== null && (
        <>
          <progress
            aria-label="Deliveries that have ended"
            max={Math.max(1, found.count)}
            value={(found.delivered ?? 0) + (found.failed ?? 0)}
          />
          <p role="status">{progressWords(found)}</p>
        </>
      )}
      {words !== "" && <p class="notice">{words}</p>}
      {found?.state === "running" && (
        <button type="button" class="secondary small" onClick={() => void cancel()}>
          Cancel the rest
        </button>
      )}
    </div>
  );
};

const listedMs = 5000;
const mostListed = 10;

/** The redeliveries of a webhook but the one that is followed, the newest first. */
const Earlier = ({ at, id }: { at: At; id: string }) => {
  const zone = useZone();
  const asked = new URLSearchParams({ webhook_id: id, limit: String(mostListed + 1) });
  const { found } = usePolled(`${path}?${asked}`, redeliveriesSchema, undefined, listedMs);
  const rows = found?.data.filter((each) => each.id !== at.redelivery).slice(0, mostListed) ?? [];
  if (rows.length === 0) return null;
  return (
    <div class="hook-outcome">
      <h3>{at.redelivery === "" ? "Redeliveries" : "Other redeliveries"}</h3>
      <ul class="redeliveries" aria-label="Redeliveries">
        {rows.map((each) => (
          <li key={each.id}>
            <a href={toHash({ ...at, redelivery: each.id })}>{formatShort(each.created_at, zone)}</a>{" "}
            {progressWords(each)}{" "}
            <span class="soft">Of {toDates({ from: each.filter.start_date, to: each.filter.end_date }, zone)}.</span>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Counts what has not come through in the period, sends it once more, and follows it. */
export const WebhookRedelivery = ({ at, id, onEnd }: { at: At; id: string; onEnd: () => void }) => {
  const { client, zone } = useSession();
  const [whole, setWhole] = useState(false);
  const [counted, setCounted] = useState<number | null>(null);
  const [said, setSaid] = useState<{ readonly words: string; readonly isFault: boolean } | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setCounted(null), [at.hours, at.from, at.to, whole]);

  const send = async (dry_run: boolean): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setSaid({ words: dry_run ? "Counting…" : "Sending…", isFault: false });
    const filter = {
      webhook_id: id,
      ...spanParameters(at, { nowMs: nowMs(), zone }),
      ...(whole && { include_delivered: true }),
    };
    try {
      const answer = await client.send({ method: "POST", path, body: { filter, dry_run } }, redeliverySchema);
      setSaid(null);
      setCounted(dry_run ? answer.count : null);
      if (answer.id !== null) location.hash = toHash({ ...at, redelivery: answer.id });
    } catch (error) {
      setSaid({ words: errorText(error, 403, 409, 422), isFault: true });
    }
    setBusy(false);
  };

  const [noun, nouns] = whole ? ["delivery", "deliveries"] : ["undelivered event", "undelivered events"];
  return (
    <>
      <form
        class="hook-form"
        aria-label="Deliver again"
        onSubmit={(event) => {
          event.preventDefault();
          void send(true);
        }}
      >
        <label class="hook-check">
          <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.currentTarget.checked)} /> Those
          that came through, too
        </label>
        <button type="submit" class="secondary" aria-disabled={isBusy}>
          Count them
        </button>
        {counted !== null && counted > 0 && (
          <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void send(false)}>
            Send {count(counted)} again
          </button>
        )}
      </form>
      <p role="status" class={said?.isFault ? "notice" : "soft"}>
        {said?.words ??
          (counted === null
            ? "Counting sends nothing."
            : counted === 0
              ? `There is no ${noun} ${spanWords(at)}: nothing would be sent.`
              : `${countOf(counted, noun, nouns)} ${spanWords(at)} would be sent again, each once.`)}
      </p>
      {at.redelivery !== "" && <Progress key={at.redelivery} id={at.redelivery} onEnd={onEnd} />}
      <Earlier at={at} id={id} />
    </>
  );
};
