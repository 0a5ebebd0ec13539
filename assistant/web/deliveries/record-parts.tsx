import { useContext } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { formatShort } from "../format-time.ts";
import { Zone } from "../zone.ts";
import { Badge } from "./record-list.tsx";
import { type DeliveryRecord, layOut } from "./records.ts";

type Exchange = {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>> | null | undefined;
  readonly body: string | null | undefined;
  readonly nothing: string;
};

/** One half of an exchange: headers, then the body laid out. */
export const Half = ({ title, headers, body, nothing }: Exchange) => {
  const names = Object.entries(headers ?? {});
  const text = body ? layOut(body) : "";
  return (
    <section class="half" aria-label={title}>
      <div class="sql-bar">
        <h3>{title}</h3>
        {text !== "" && <CopyButton label="Copy body" text={() => text} />}
      </div>
      {names.length > 0 && (
        <dl class="headers">
          {names.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {text === "" ? (
        <p class="soft no-body">{nothing}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long body must scroll by keyboard too
        <pre tabIndex={0}>{text}</pre>
      )}
    </section>
  );
};

type AttemptsProps = {
  readonly attempts: readonly DeliveryRecord[];
  readonly id: string;
  readonly onOpen: (id: string) => void;
};

/** All attempts at the same, each to be opened; a single one is the record itself. */
export const Attempts = ({ attempts, id, onOpen }: AttemptsProps) => {
  const zone = useContext(Zone);
  if (attempts.length < 2) return null;
  return (
    <section class="attempts" aria-label="Attempts">
      <h3>Attempts</h3>
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <button
              type="button"
              aria-current={attempt.id === id ? "true" : undefined}
              onClick={() => onOpen(attempt.id)}
            >
              <Badge record={attempt} />
              <time dateTime={attempt.created_at}>{formatShort(attempt.created_at, zone)}</time>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
};
