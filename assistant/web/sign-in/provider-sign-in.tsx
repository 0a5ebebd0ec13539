import { useState } from "preact/hooks";
import { beginSignIn, type Provider } from "./oidc.ts";

type Props = { readonly notice: string | null; readonly provider: Provider };

const unreachable = "The sign-in page could not be reached. Try again in a moment.";

/** Leads to the identity provider's own page; no password is ever typed here. */
export const ProviderSignIn = ({ notice, provider }: Props) => {
  const [state, setState] = useState<"idle" | "leaving" | "failed">("idle");

  const leave = (): void => {
    if (state === "leaving") return;
    setState("leaving");
    beginSignIn(provider).catch(() => setState("failed"));
  };

  return (
    <main class="column welcome">
      <div class="sign-in">
        <h1>Sign in</h1>
        <p class="soft">You are led to {new URL(provider.issuer).host} and come back here.</p>
        <p class="notice" role="alert">
          {state === "failed" ? unreachable : notice}
        </p>
        <button type="button" class="primary" aria-disabled={state === "leaving"} onClick={leave}>
          {state === "leaving" ? "Leaving for the sign-in page…" : "Sign in"}
        </button>
      </div>
    </main>
  );
};
