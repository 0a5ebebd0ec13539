import { useLayoutEffect, useRef, useState } from "preact/hooks";
import * as z from "zod/mini";
import { formatInstant } from "../format-time.ts";
import { useDisclosure } from "../keyboard.ts";
import { errorText } from "../problem.ts";
import { useSession, useZone } from "../session-context.ts";
import type { Call, Details, Line } from "./call.ts";
import { money } from "./call-route.tsx";
import { actorWords, lineWords } from "./line-words.ts";
import { sentenceCase } from "./reasons.ts";
import type { useCall } from "./use-call.ts";
import { sidesOf } from "./verdict.ts";

type WaitFor = ReturnType<typeof useCall>["waitFor"];

const adjustedSchema = z.object({
  data: z.array(z.object({ success: z.boolean(), error: z.nullable(z.object({ message: z.string() })) })),
});

const correctionsOf = ({ timeline }: Details): readonly Line[] =>
  timeline.filter(({ event }) => event === "payout.adjusted");

const noNames = new Map<string, string>();

const Corrections = ({ details }: { details: Details }) => {
  const zone = useZone();
  const corrections = correctionsOf(details);
  if (corrections.length === 0) return null;
  return (
    <>
      <h3>Corrections</h3>
      <ul class="call-attempts">
        {corrections.map((line) => (
          <li key={line.seq}>
            {lineWords(line, noNames).replace("Corrected: ", "")}{" "}
            <span class="soft">
              {formatInstant(line.at, zone)}, by {actorWords(line.detail["by"])}
              {typeof line.detail["reason"] === "string" && `: ${line.detail["reason"]}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};

type Wanted = { readonly revenue: string; readonly payout: string; readonly reason: string; readonly fires: boolean };

const amountOf = (text: string): number | null => {
  const amount = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(amount) && amount >= 0 ? amount : null;
};

type Changes = Partial<Record<"revenue" | "payout", number>>;

/** Returns the fields that the form changes; a text that says what is wrong where it cannot be sent. */
const changesOf = ({ revenue, payout, reason }: Wanted, call: Call): Changes | string => {
  const [newRevenue, newPayout] = [amountOf(revenue), amountOf(payout)];
  if (revenue.trim() !== "" && newRevenue === null) return "The revenue has to be an amount from 0 on.";
  if (payout.trim() !== "" && newPayout === null) return "The payout has to be an amount from 0 on.";
  const changes = {
    ...(newRevenue !== null && newRevenue !== call.revenue && { revenue: newRevenue }),
    ...(newPayout !== null && newPayout !== call.payout && { payout: newPayout }),
  };
  if (Object.keys(changes).length === 0) return "Neither amount is different from what it is now.";
  return reason.trim() === "" ? "Give a reason: it is kept with the correction." : changes;
};

const changeWords = (changes: Changes, call: Call): string =>
  (["revenue", "payout"] as const)
    .flatMap((name) => {
      const to = changes[name];
      return to === undefined ? [] : [`${name} ${money(call[name])} → ${money(to)}`];
    })
    .join(", ");

type Stage =
  | { readonly kind: "editing"; readonly problem: string | null }
  | { readonly kind: "confirming"; readonly changes: Changes }
  | { readonly kind: "sending" };

type FormProps = {
  readonly call: Call;
  readonly waitFor: WaitFor;
  readonly known: number;
  readonly onDone: (words: string) => void;
  readonly onCancel: () => void;
};

const textOf = (amount: number | null): string => (amount === null ? "" : String(amount));

const newTransaction = (): string => `page-${Date.now()}-${Math.random().toString(36).slice(2)}`;

const AdjustForm = ({ call, waitFor, known, onDone, onCancel }: FormProps) => {
  const { client } = useSession();
  const [wanted, setWanted] = useState<Wanted>({
    revenue: textOf(call.revenue),
    payout: textOf(call.payout),
    reason: "",
    fires: false,
  });
  const [stage, setStage] = useState<Stage>({ kind: "editing", problem: null });
  // The same correction keeps its transaction until it is answered: sent again after a lost answer, it counts once.
  const unanswered = useRef<{ readonly correction: string; readonly transaction: string } | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.select(), []);
  useLayoutEffect(() => {
    if (stage.kind === "confirming") confirm.current?.focus();
  }, [stage.kind]);
  const set = (part: Partial<Wanted>): void => {
    setWanted({ ...wanted, ...part });
    setStage({ kind: "editing", problem: null });
  };

  const send = async ({ changes }: Extract<Stage, { kind: "confirming" }>): Promise<void> => {
    setStage({ kind: "sending" });
    const adjustment = { call_id: call.call_id, ...changes, reason: wanted.reason.trim() };
    const correction = JSON.stringify([adjustment, wanted.fires]);
    if (unanswered.current?.correction !== correction)
      unanswered.current = { correction, transaction: newTransaction() };
    const { transaction } = unanswered.current;
    const body = { adjustments: [adjustment], transaction_id: transaction, fire_webhooks: wanted.fires };
    try {
      const { data } = await client.send(
        { method: "POST", path: "/v1/reports/payout-adjustments", body },
        adjustedSchema,
      );
      unanswered.current = null;
      const fault = data[0]?.error ?? null;
      if (fault !== null) return setStage({ kind: "editing", problem: fault.message });
      const isShown = await waitFor((details) => correctionsOf(details).length > known);
      onDone(isShown ? "Corrected." : "Accepted; not seen here yet. Reload the page in a moment.");
    } catch (error) {
      setStage({ kind: "editing", problem: errorText(error, 403, 409, 422) });
    }
  };

  const submit = (): void => {
    if (stage.kind === "confirming") return void send(stage);
    if (stage.kind === "sending") return;
    const changes = changesOf(wanted, call);
    setStage(typeof changes === "string" ? { kind: "editing", problem: changes } : { kind: "confirming", changes });
  };

  return (
    <form
      class="adjust-form"
      aria-label="Correct the amounts"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Escape closes this form, and not the call.
        event.stopPropagation();
        onCancel();
      }}
    >
      {(["revenue", "payout"] as const).map((name) => (
        <label key={name}>
          {name === "revenue" ? "Revenue, in dollars" : "Payout, in dollars"}
          <input
            ref={name === "revenue" ? first : null}
            type="number"
            min="0"
            step="0.01"
            inputMode="decimal"
            value={wanted[name]}
            onInput={(event) => set({ [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <label class="adjust-reason">
        Reason
        <input maxLength={500} value={wanted.reason} onInput={(event) => set({ reason: event.currentTarget.value })} />
      </label>
      <label class="adjust-fires">
        <input
          type="checkbox"
          checked={wanted.fires}
          onChange={(event) => set({ fires: event.currentTarget.checked })}
        />
        Send webhooks of call.updated
      </label>
      <div class="adjust-end">
        {stage.kind === "confirming" && (
          <p role="status">
            {sentenceCase(changeWords(stage.changes, call))}. It stands in the audit log under your name.
          </p>
        )}
        {stage.kind === "editing" && stage.problem !== null && (
          <p class="notice" role="alert">
            {stage.problem}
          </p>
        )}
        <button ref={confirm} type="submit" class="primary" aria-disabled={stage.kind === "sending"}>
          {stage.kind === "confirming" ? "Confirm" : stage.kind === "sending" ? "Correcting…" : "Correct"}
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
};

const Adjust = ({ details, waitFor }: { details: Details; waitFor: WaitFor }) => {
  const { isOpen, button, open, close } = useDisclosure();
  const [said, setSaid] = useState("");
  return (
    <>
      <p class="soft" role="status">
        {said}
      </p>
      {isOpen ? (
        <AdjustForm
          call={details.call}
          waitFor={waitFor}
          known={correctionsOf(details).length}
          onDone={(words) => {
            setSaid(words);
            close();
          }}
          onCancel={close}
        />
      ) : (
        <button
          type="button"
          class="secondary adjust-open"
          ref={button}
          onClick={() => {
            setSaid("");
            open();
          }}
        >
          Correct the amounts…
        </button>
      )}
    </>
  );
};

/** Shows revenue and payout of a call, the terms that they were settled on, and why. */
export const Money = ({ details, waitFor }: { details: Details; waitFor: WaitFor }) => {
  const { call } = details;
  const sides = sidesOf(details);
  return (
    <>
      <dl class="money">
        {sides.map(({ name, amount, agreed, why }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="money-amount">{amount === null ? "–" : money(amount)}</dd>
            <dd class="soft">Agreed: {agreed}</dd>
            {why !== "" && <dd>{why}</dd>}
          </div>
        ))}
        <div>
          <dt>Profit</dt>
          <dd class="money-amount">{money(call.profit)}</dd>
          {call.ended_at !== null && <dd class="soft">{call.converted ? "Converted" : "Not converted"}</dd>}
        </div>
      </dl>
      <Corrections details={details} />
      {details.may_adjust ? (
        call.ended_at !== null && <Adjust details={details} waitFor={waitFor} />
      ) : (
        <p class="soft">Admins can correct what a call is worth.</p>
      )}
    </>
  );
};
