import { ProblemNote } from "../problem-note.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { SignIn } from "./sign-in.tsx";
import type { Session } from "./use-session.ts";

type Props = {
  readonly session: Exclude<Session, { kind: "signed_in" }>;
  readonly onOpen: () => void;
  readonly onSignIn: (token: string) => Promise<void>;
};

/** What stands there until somebody is signed in. */
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
        <SignIn notice={session.notice} onSignIn={onSignIn} />
      ) : (
        <ProviderSignIn notice={session.notice} provider={session.provider} />
      );
  }
};
