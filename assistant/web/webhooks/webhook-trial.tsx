import { useState } from "preact/hooks";
import { prettyPrint } from "../deliveries/records.ts";
import { formatMs } from "../format.ts";
import { errorText } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { failureWords, type Preview, previewSchema, type Tested, testedSchema } from "./webhooks.ts";

type Shown =
  | { readonly kind: "nothing" }
  | { readonly kind: "working" | "fault"; readonly words: string }
  | { readonly kind: "preview"; readonly preview: Preview }
  | { readonly kind: "tested"; readonly tested: Tested };

/** The request as it goes out, so that it can be compared with what a receiver expects. */
const requestText = ({ method, url, headers, body }: Preview): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ["", prettyPrint(body)]),
  ].join("\n");

const Outcome = ({ shown }: { shown: Shown }) => {
  switch (shown.kind) {
    case "nothing":
      return null;
    case "working":
      return <p class="soft">{shown.words}</p>;
    case "fault":
      return <p class="notice">{shown.words}</p>;
    case "preview": {
      const { error, unpopulated } = shown.preview;
      return (
        <>
          {error !== null && <p class="notice">The template cannot be filled: {error}</p>}
          {unpopulated.length > 0 && (
            <p>Not known for this event, so they stay as they are written: {unpopulated.join(", ")}.</p>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide request must scroll by keyboard, too */}
          <pre tabIndex={0}>{requestText(shown.preview)}</pre>
          <p class="soft">Nothing was sent.</p>
        </>
      );
    }
    case "tested": {
      const { tested } = shown;
      const took = tested.response_time_ms === null ? "" : ` in ${formatMs(tested.response_time_ms)}`;
      return (
        <>
          <p class={tested.outcome === "delivered" ? "" : "notice"}>
            {tested.outcome === "delivered" ? "Delivered" : "Not delivered"}: {failureWords(tested)}
            {took}.
          </p>
          {tested.response_body !== null && tested.response_body !== "" && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide body must scroll by keyboard, too
            <pre tabIndex={0}>{prettyPrint(tested.response_body)}</pre>
          )}
        </>
      );
    }
  }
};

/** Shows the request with a call's data, and sends it once. */
export const WebhookTrial = ({ id, onSent }: { id: string; onSent: () => void }) => {
  const { client } = useSession();
  const [call, setCall] = useState("");
  const [shown, setShown] = useState<Shown>({ kind: "nothing" });
  const isWorking = shown.kind === "working";
  const body = call.trim() === "" ? {} : { call_id: call.trim() };
  const path = `/v1/outgoing-webhooks/${encodeURIComponent(id)}`;
  const run = async (words: string, work: () => Promise<Shown>): Promise<void> => {
    if (isWorking) return;
    setShown({ kind: "working", words });
    setShown(await work().catch((error): Shown => ({ kind: "fault", words: errorText(error, 403, 404, 409, 422) })));
  };
  const preview = () =>
    run("Filling…", async () => ({
      kind: "preview",
      preview: await client.send({ method: "POST", path: `${path}/preview`, body }, previewSchema),
    }));
  const test = () =>
    run("Sending…", async () => {
      const tested = await client.send({ method: "POST", path: `${path}/test`, body }, testedSchema);
      onSent();
      return { kind: "tested", tested };
    });
  return (
    <>
      <form
        class="hook-form"
        aria-label="Try it"
        onSubmit={(event) => {
          event.preventDefault();
          void preview();
        }}
      >
        <label class="filter">
          Call id, or empty for an invented call
          <input value={call} maxLength={64} onInput={(event) => setCall(event.currentTarget.value)} />
        </label>
        <button type="submit" class="secondary" aria-disabled={isWorking}>
          Preview
        </button>
        <button type="button" class="secondary" aria-disabled={isWorking} onClick={() => void test()}>
          Send a test
        </button>
      </form>
      <div class="hook-outcome" role="status">
        <Outcome shown={shown} />
      </div>
    </>
  );
};
