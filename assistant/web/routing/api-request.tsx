import { CopyButton } from "../copy-button.tsx";
import { type ApiRequest, toCurl } from "../curl.ts";

type Props = { readonly label: string; readonly requests: readonly ApiRequest[]; readonly isOpen?: boolean };

/** Requests that change or ask the same by the API, ready to copy. */
export const ApiRequests = ({ label, requests, isOpen = false }: Props) => (
  <details class="api-requests" open={isOpen}>
    <summary>{label}</summary>
    <p class="soft">
      <code>KEY</code> holds an API key of your organization.
    </p>
    {requests.map((request) => {
      const text = toCurl(request, location.origin);
      return (
        <div key={text}>
          {request.title !== undefined && <p>{request.title}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide request must scroll by keyboard, too */}
          <pre tabIndex={0}>{text}</pre>
          <CopyButton label="Copy" text={() => text} />
        </div>
      );
    })}
  </details>
);
