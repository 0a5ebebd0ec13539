import { CopyButton } from "../copy-button.tsx";
import { toCurl } from "../curl.ts";
import { callHash } from "../hash-location.ts";
import { DoneIcon } from "../icons.tsx";
import { type Step, type StepRequest, stepsOf } from "./first-steps.ts";
import type { FirstSteps as Known } from "./overview.ts";

const Mark = ({ isDone }: { isDone: boolean }) => (
  <span class="step-mark" data-done={isDone}>
    {isDone && <DoneIcon />}
    <span class="visually-hidden">{isDone ? "Done: " : "To do: "}</span>
  </span>
);

const Request = ({ request, isNext }: { request: StepRequest; isNext: boolean }) => {
  const text = toCurl(request, location.origin);
  return (
    <li>
      <details key={String(isNext)} open={isNext}>
        <summary>
          <Mark isDone={request.isDone} />
          {request.title}
        </summary>
        <pre>{text}</pre>
        <CopyButton label="Copy" text={() => text} />
      </details>
    </li>
  );
};

const TestCall = ({ known: { call } }: { known: Known }) =>
  call === null ? (
    <>The first call</>
  ) : (
    <a class="in-text" href={callHash(call.call_id)}>
      The first call
    </a>
  );

const isDone = ({ requests }: Step): boolean => requests.every((request) => request.isDone);

/** The steps to an organization's first call, done ones ticked off, with the requests that do the others. */
export const FirstSteps = ({ known }: { known: Known }) => {
  const steps = stepsOf(known);
  const next = steps.flatMap(({ requests }) => requests).find((request) => !request.isDone);
  if (next === undefined) {
    return (
      <section class="panel" aria-labelledby="steps-title">
        <h2 id="steps-title">Everything is in place</h2>
        <p class="soft">
          <TestCall known={known} /> has come through, and a webhook tells of the next ones.
        </p>
      </section>
    );
  }
  return (
    <section class="panel first-steps" aria-labelledby="steps-title">
      <h2 id="steps-title">First steps</h2>
      <p class="soft">
        Config is written by the API. <code>KEY</code> holds an API key of your organization, which whoever runs this
        installation makes by <code>npm run keys</code>. What you have done is ticked off here within seconds, and the
        next request has its ids.
      </p>
      <ol>
        {steps.map((step) => (
          <li key={step.title}>
            <h3>
              <Mark isDone={isDone(step)} />
              {step.title}
            </h3>
            <p class="soft">{step.text}</p>
            <ul>
              {step.requests.map((request) => (
                <Request key={request.title} request={request} isNext={request === next} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
};
