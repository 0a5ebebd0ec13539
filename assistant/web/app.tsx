import { useCallback } from "preact/hooks";
import { ask } from "./client.ts";
import { RequestError } from "./problem.ts";
import { ProblemNote } from "./problem-note.tsx";
import { SignIn } from "./sign-in.tsx";
import { TopBar } from "./top-bar.tsx";
import { type Ask, useConversation } from "./use-conversation.ts";
import { isRefusal, useSession } from "./use-session.ts";
import { Workspace } from "./workspace.tsx";

const signedOut = () => new RequestError({ status: 401, code: "signed_out", message: "" });

export const App = () => {
  const { session, open, signIn, signOut, choose } = useSession();

  const askAsAnalyst: Ask = useCallback(
    async (question, signal) => {
      if (session.kind !== "signed_in") throw signedOut();
      try {
        return await ask(session.token, question, signal);
      } catch (error) {
        // The demo hands out short-lived tokens; a fresh one is a request away and no business of the analyst's.
        if (session.demo === null || !isRefusal(error)) throw error;
        const renewed = await open();
        if (renewed.kind !== "signed_in") throw error;
        return ask(renewed.token, question, signal);
      }
    },
    [session, open],
  );

  // Held above the signed-in view, so that signing in again after a token expired finds the conversation where it was.
  const conversation = useConversation(askAsAnalyst);
  const leave = (): void => {
    conversation.clear();
    signOut(null);
  };
  const change = (organizationId: string): void => {
    conversation.clear();
    void choose(organizationId);
  };

  return (
    <>
      <TopBar
        session={session}
        onNew={conversation.turns.length > 0 ? conversation.clear : null}
        onChoose={change}
        onSignOut={leave}
      />
      {session.kind === "loading" && <main class="column" aria-busy="true" aria-label="Opening the page" />}
      {session.kind === "unreachable" && (
        <main class="column welcome">
          <h1 class="visually-hidden">Trunkline</h1>
          <ProblemNote problem={session.problem} label="Try again" onAct={() => void open()} />
        </main>
      )}
      {session.kind === "signed_out" && <SignIn notice={session.notice} onSignIn={signIn} />}
      {session.kind === "signed_in" && (
        <Workspace
          suggestions={session.suggestions}
          conversation={conversation}
          onSignInAgain={() => signOut("Your access token has expired. Sign in to go on where you were.")}
        />
      )}
    </>
  );
};
