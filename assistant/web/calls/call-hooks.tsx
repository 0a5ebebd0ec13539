import { useState } from "preact/hooks";
import { recordPath, redeliveredSchema } from "../deliveries/records.ts";
import { noSearch, toHash } from "../deliveries/search.ts";
import { formatMs } from "../format.ts";
import { formatShort } from "../format-time.ts";
import { errorText } from "../problem.ts";
import { useSession, useZone } from "../session-context.ts";
import type { CallWebhook, Details, Received } from "./call.ts";
import type { useCall } from "./use-call.ts";

type WaitFor = ReturnType<typeof useCall>["waitFor"];

const states: Readonly<Record<CallWebhook["state"], { readonly label: string; readonly tone: string }>> = {
  delivered: { label: "Delivered", tone: "good" },
  retrying: { label: "Trying again", tone: "live" },
  failed: { label: "Failed", tone: "bad" },
  waiting: { label: "Waiting", tone: "live" },
  not_sent: { label: "Not sent", tone: "plain" },
};

const whyUnsent = ({ reason, event_type_id: event }: CallWebhook): string => {
  switch (reason) {
    case "event_to_come":
      return `It is for ${event}, which has not happened yet.`;
    case "no_such_event":
      return `It is for ${event}, which did not happen in this call.`;
    case "webhook_paused":
      return "The webhook is paused: resume it, and it will be sent.";
    case "first_attempt_to_come":
      return "It is queued, or its record is still on its way.";
    case "webhook_deleted":
      return "The webhook was deleted.";
    default:
      return "";
  }
};

/** "answered 500 in 80 ms" */
const attemptWords = ({
  response_status_code: status,
  response_time_ms: took,
  error,
  outcome,
}: CallWebhook["attempts"][number]): string => {
  if (status === null) return error ?? outcome.replaceAll("_", " ");
  return `answered ${status}${took === null ? "" : ` in ${formatMs(took)}`}`;
};

type Sending =
  | { readonly kind: "idle" | "sending" }
  | { readonly kind: "said"; readonly words: string; readonly isFault: boolean };

/** Sends a delivery once more, and waits until the attempt shows. */
const useSendAgain = ({ webhook_id, event_type_id, attempts }: CallWebhook, waitFor: WaitFor) => {
  const { client } = useSession();
  const [sending, setSending] = useState<Sending>({ kind: "idle" });
  const send = async (): Promise<void> => {
    const last = attempts.at(-1);
    if (last === undefined || sending.kind === "sending") return;
    setSending({ kind: "sending" });
    const attemptsIn = ({ webhooks }: Details) =>
      webhooks
        .filter((each) => each.webhook_id === webhook_id && each.event_type_id === event_type_id)
        .flatMap((each) => each.attempts);
    const known = new Set(attempts.map(({ id }) => id));
    let words = "It is queued. The attempt will appear here once it was made.";
    const said = await client
      .send({ method: "POST", path: `${recordPath("outgoing", last.id)}/redeliver` }, redeliveredSchema)
      .then(() =>
        waitFor((details) => {
          const fresh = attemptsIn(details).find(({ id }) => !known.has(id));
          if (fresh !== undefined) words = `Sent again: ${attemptWords(fresh)}.`;
          return fresh !== undefined;
        }),
      )
      .then(() => ({ words, isFault: false }))
      // 403, 404 and 409 say why it cannot be sent again.
      .catch((error) => ({ words: errorText(error, 403, 404, 409), isFault: true }));
    setSending({ kind: "said", ...said });
  };
  return { sending, send };
};

const openHash = (direction: "outgoing" | "incoming", callId: string, open: string): string =>
  toHash({ ...noSearch, direction, text: callId, hours: "", open });

type RowProps = { readonly webhook: CallWebhook; readonly details: Details; readonly waitFor: WaitFor };

const Row = ({ webhook, details, waitFor }: RowProps) => {
  const zone = useZone();
  const { sending, send } = useSendAgain(webhook, waitFor);
  const { label, tone } = states[webhook.state];
  const name = webhook.webhook_name ?? webhook.webhook_id;
  const last = webhook.attempts.at(-1);
  return (
    <li class="route">
      <span class={`badge badge-${tone}`}>{label}</span>
      <div>
        <strong>{name}</strong> <span class="soft">{webhook.event_type_id}</span>
        {webhook.reason !== null && <p>{whyUnsent(webhook)}</p>}
        {webhook.attempts.length > 0 && (
          <ol class="call-attempts" aria-label={`Attempts of ${name}`}>
            {webhook.attempts.map((attempt) => (
              <li key={attempt.id}>
                <a href={openHash("outgoing", details.call.call_id, attempt.id)}>{formatShort(attempt.at, zone)}</a>{" "}
                {attemptWords(attempt)}
                {attempt.trigger === "manual" && <span class="soft"> sent again by hand</span>}
              </li>
            ))}
          </ol>
        )}
        {last?.next_attempt_at != null && webhook.state === "retrying" && (
          <p class="soft">Next attempt {formatShort(last.next_attempt_at, zone)}</p>
        )}
        <p class={sending.kind === "said" && sending.isFault ? "notice" : "soft"} role="status">
          {sending.kind === "sending" ? "Sending…" : sending.kind === "said" ? sending.words : ""}
        </p>
      </div>
      {details.may_redeliver && webhook.attempts.length > 0 && (
        <button
          type="button"
          class="secondary small"
          aria-label={`Send ${name} (${webhook.event_type_id}) again`}
          aria-disabled={sending.kind === "sending"}
          onClick={() => void send()}
        >
          Send again
        </button>
      )}
    </li>
  );
};

const ReceivedRow = ({ request, callId }: { request: Received; callId: string }) => {
  const zone = useZone();
  const { response_status_code: status } = request;
  const isGood = status !== null && status < 300;
  return (
    <li class="route">
      <span class={`badge badge-${isGood ? "good" : "bad"}`}>{isGood ? "Accepted" : "Refused"}</span>
      <div>
        <strong>{request.webhook_name ?? "A deleted webhook"}</strong> <span class="soft">{request.type}</span>
        <ol class="call-attempts">
          <li>
            <a href={openHash("incoming", callId, request.id)}>{formatShort(request.at, zone)}</a>{" "}
            {status === null ? "no answer on record" : `answered ${status}`}
            {request.transaction_id !== null && <span class="soft"> transaction {request.transaction_id}</span>}
          </li>
        </ol>
      </div>
    </li>
  );
};

/** The webhooks that were sent and received for the call, each leading to its records. */
export const CallHooks = ({ details, waitFor }: { details: Details; waitFor: WaitFor }) => {
  const { webhooks, received, call } = details;
  return (
    <>
      <h3>Sent</h3>
      {webhooks.length === 0 ? (
        <p class="soft">No webhook is attached to the call's campaign or destination.</p>
      ) : (
        <ul class="routes" aria-label="Webhooks sent">
          {webhooks.map((webhook, index) => (
            <Row key={`${webhook.webhook_id} ${index}`} webhook={webhook} details={details} waitFor={waitFor} />
          ))}
        </ul>
      )}
      {!details.may_redeliver && webhooks.some(({ attempts }) => attempts.length > 0) && (
        <p class="soft">Admins can send webhooks again.</p>
      )}
      <h3>Received</h3>
      {received.length === 0 ? (
        <p class="soft">Nothing was received for this call.</p>
      ) : (
        <ul class="routes" aria-label="Webhooks received">
          {received.map((request) => (
            <ReceivedRow key={request.id} request={request} callId={call.call_id} />
          ))}
        </ul>
      )}
    </>
  );
};
