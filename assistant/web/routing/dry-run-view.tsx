import { useEffect, useRef, useState } from "preact/hooks";
import { Select } from "../calls/call-filters.tsx";
import { minuteInZone, minuteOfUtc } from "../format-time.ts";
import { type Asked, dryRunHash } from "../hash-location.ts";
import { BackIcon } from "../icons.tsx";
import { errorText } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { DryRunResult } from "./dry-run-result.tsx";
import {
  type DryRun,
  dryRunBody,
  dryRunSchema,
  type Plan,
  planPath,
  planSchema,
  type StatePage,
  stateSchema,
} from "./routing.ts";

/** The campaigns to choose from, and the numbers of the chosen one. */
const useChoices = (campaign: string) => {
  const { client } = useSession();
  const [campaigns, setCampaigns] = useState<StatePage | null>(null);
  const [plan, setPlan] = useState<Plan | null>(null);
  // If the list cannot be read there is nothing to choose, but the number can be typed.
  const nothing = () => undefined;
  useEffect(() => {
    client.get("/v1/routing/state?kind=campaign&limit=200", stateSchema).then(setCampaigns, nothing);
  }, [client]);
  useEffect(() => {
    setPlan(null);
    if (campaign === "") return;
    let isCurrent = true;
    client.get(planPath(campaign), planSchema).then((found) => isCurrent && setPlan(found), nothing);
    return () => {
      isCurrent = false;
    };
  }, [client, campaign]);
  return { campaigns, plan };
};

type Running =
  | { readonly kind: "idle" | "running" }
  | { readonly kind: "failed"; readonly words: string }
  | { readonly kind: "found"; readonly found: DryRun; readonly body: unknown };

/** Asks the router, the latest question alone. */
const useDryRun = () => {
  const { client } = useSession();
  const [running, setRunning] = useState<Running>({ kind: "idle" });
  const latest = useRef(0);
  const run = async (body: object): Promise<void> => {
    latest.current += 1;
    const mine = latest.current;
    setRunning({ kind: "running" });
    const done = await client
      .send({ method: "POST", path: "/v1/routing/dry-run", body }, dryRunSchema)
      .then((found): Running => ({ kind: "found", found, body }))
      .catch((error): Running => ({ kind: "failed", words: errorText(error, 403, 422) }));
    if (mine === latest.current) setRunning(done);
  };
  return { running, run };
};

type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly type?: "tel" | "text" | "datetime-local";
  readonly list?: string;
  readonly onInput: (value: string) => void;
};

const Field = ({ label, onInput, type = "text", ...input }: FieldProps) => (
  <label class="filter">
    {label}
    <input type={type} autoComplete="off" {...input} onInput={(event) => onInput(event.currentTarget.value)} />
  </label>
);

const numbersId = "dry-run-numbers";

/** Who would take a call? Asks the router without placing one. */
export const DryRunView = ({ asked: given }: { asked: Asked }) => {
  const { zone } = useSession();
  const [asked, setAsked] = useState(given);
  const [asksBuyers, setAsksBuyers] = useState(false);
  const { campaigns, plan } = useChoices(asked.campaign);
  const { running, run } = useDryRun();
  const set = (part: Partial<Asked>): void => setAsked((now) => ({ ...now, ...part }));
  const numbers = plan?.numbers.flatMap(({ number }) => number ?? []) ?? [];
  const [first] = numbers;

  // A campaign that was chosen names its first number, unless one of its own is there.
  useEffect(() => {
    if (first !== undefined && !numbers.includes(asked.to)) set({ to: first });
  }, [first]);

  const ask = (): void => {
    if (asked.to.trim() === "") return;
    history.replaceState(null, "", dryRunHash(asked));
    void run({ ...dryRunBody(asked), ...(asksBuyers && { ask_buyers: true }) });
  };
  // A link that names a number asks at once.
  useEffect(() => {
    if (given.to !== "") ask();
  }, []);

  const chosen = campaigns?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <>
      <a class="quiet back" href="#routing">
        <BackIcon />
        Routing
      </a>
      <h1>Who would take this call?</h1>
      <p class="soft">
        Asks the router without placing a call: nothing is dialed, reserved or counted. Without a caller it is an
        anonymous one, without a time it comes now; times are those of {zone}.
      </p>
      <form
        class="dry-form"
        aria-label="A call"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div class="filters">
          <Select
            label="Campaign"
            value={asked.campaign}
            options={[{ value: "", label: "By its number" }, ...chosen]}
            onChoose={(campaign) => set({ campaign, to: "" })}
          />
          <Field
            label="Number dialed"
            value={asked.to}
            type="tel"
            placeholder="+18005550100"
            list={numbersId}
            onInput={(to) => set({ to })}
          />
          <datalist id={numbersId}>
            {numbers.map((number) => (
              <option key={number} value={number} />
            ))}
          </datalist>
          <Field
            label="Caller"
            value={asked.from}
            type="tel"
            placeholder="+12125550123"
            onInput={(from) => set({ from })}
          />
          <Field
            label="When"
            type="datetime-local"
            value={asked.at === "" ? "" : minuteInZone(asked.at, zone)}
            onInput={(at) => set({ at: at === "" ? "" : minuteOfUtc(at, zone) })}
          />
          <Field label="Caller's state" value={asked.state} placeholder="NY" onInput={(state) => set({ state })} />
          <Field label="Caller's ZIP code" value={asked.zip} placeholder="10001" onInput={(zip) => set({ zip })} />
          <Field label="Tags" value={asked.tags} placeholder="utm_source=radio" onInput={(tags) => set({ tags })} />
        </div>
        {campaigns?.may_change && (
          <label class="adjust-fires">
            <input
              type="checkbox"
              checked={asksBuyers}
              onChange={(event) => setAsksBuyers(event.currentTarget.checked)}
            />
            Ask buyers for bids now, and the do-not-call list
          </label>
        )}
        <button type="submit" class="primary" aria-disabled={running.kind === "running" || asked.to.trim() === ""}>
          {running.kind === "running" ? "Asking…" : "Find out"}
        </button>
      </form>
      {running.kind === "failed" && (
        <p class="notice" role="alert">
          {running.words}
        </p>
      )}
      {running.kind === "found" && <DryRunResult found={running.found} body={running.body} />}
    </>
  );
};
