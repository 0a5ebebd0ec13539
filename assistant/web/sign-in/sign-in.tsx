import { useState } from "preact/hooks";

type Props = { readonly notice: string | null; readonly onSignIn: (token: string) => Promise<void> };

export const SignIn = ({ notice, onSignIn }: Props) => {
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
