import { useState } from "preact/hooks";
import { ProblemNote } from "../problem-note.tsx";
import { beginSignIn, type Provider } from "./oidc.ts";
import type { Session } from "./use-sign-in.ts";

type FormProps = { readonly notice: string | null; readonly onSignIn: (token: string) => Promise<void> };

const TokenForm = ({ notice, onSignIn }: FormProps) => {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = token.trim().replace(/^bearer\s+/i, "");
    if (given === "" || busy) return;
    setBusy(true);
    await onSignIn(given);
    setBusy(false);
  };

  return (
    <main class="column welcome">
      <form class="sign-in" onSubmit={(event) => void submit(event)}>
        <h1>Sign in</h1>
        <p class="soft" id="token-hint">
          Paste the access token your administrator gave you. It is kept in this tab only and forgotten when you close
          it or sign out.
        </p>
        <label for="token">Access token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          autofocus
          value={token}
          aria-describedby="token-hint token-notice"
          aria-invalid={notice !== null}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p class="notice" id="token-notice" role="alert">
          {notice}
        </p>
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  );
};

const unreachable = "The sign-in page could not be reached. Try again in a moment.";

/** Leads to the identity provider's own page; no password is ever typed here. */
const ProviderSignIn = ({ notice, provider }: { notice: string | null; provider: Provider }) => {
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

type Props = {
  readonly session: Exclude<Session, { kind: "signed_in" }>;
  readonly onOpen: () => void;
  readonly onSignIn: (token: string) => Promise<void>;
};

/** The page until somebody is signed in. */
export const SignedOutView = ({ session, onOpen, onSignIn }: Props) => {
  switch (session.kind) {
    case "loading":
      return <main class="column" aria-busy="true" aria-label="Opening the page" />;
    case "unreachable":
      return (
        <main class="column welcome">
          <h1 class="visually-hidden">Trunkline</h1>
          <ProblemNote problem={session.problem} label="Try again" onAct={onOpen} />
        </main>
      );
    case "signed_out":
      return session.provider === null ? (
        <TokenForm notice={session.notice} onSignIn={onSignIn} />
      ) : (
        <ProviderSignIn notice={session.notice} provider={session.provider} />
      );
  }
};
