import { useCallback, useState } from "preact/hooks";
import { AskingView } from "./asking-view.tsx";
import { ask } from "./client.ts";
import { DeliveriesView } from "./deliveries/deliveries-view.tsx";
import { RequestError } from "./problem.ts";
import { ProblemNote } from "./problem-note.tsx";
import { ProviderSignIn } from "./sign-in/provider-sign-in.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";
import { isRefusal, useSession } from "./sign-in/use-session.ts";
import { TopBar } from "./top-bar.tsx";
import { type Ask, useConversation } from "./use-conversation.ts";
import { usePlace } from "./use-place.ts";

const signedOut = () => new RequestError({ status: 401, code: "signed_out", message: "" });

export const App = () => {
  const { session, open, signIn, signOut, choose } = useSession();

  const askAsAnalyst: Ask = useCallback(
    async (question, watching) => {
      if (session.kind !== "signed_in") throw signedOut();
      try {
        return await ask(session.token, question, watching);
      } catch (error) {
        // The demo hands out short-lived tokens; a fresh one is a request away and no business of the analyst's.
        if (session.demo === null || !isRefusal(error)) throw error;
        const renewed = await open();
        if (renewed.kind !== "signed_in") throw error;
        return ask(renewed.token, question, watching);
      }
    },
    [session, open],
  );

  // Held above the signed-in view, so that signing in again after a token expired finds the conversation where it was.
  const conversation = useConversation(askAsAnalyst);
  const place = usePlace();
  const [listing, setListing] = useState(false);
  const unlist = useCallback((): void => setListing(false), []);
  const leave = (): void => {
    conversation.clear();
    void signOut(null);
  };
  const signInAgain = (): void => void signOut("Your access token has expired. Sign in to go on where you were.");
  const change = (organizationId: string): void => {
    conversation.clear();
    void choose(organizationId);
  };

  return (
    <>
      <TopBar
        session={session}
        view={place.view}
        listing={listing}
        onList={() => setListing(!listing)}
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
      {session.kind === "signed_out" && session.provider === null && (
        <SignIn notice={session.notice} onSignIn={signIn} />
      )}
      {session.kind === "signed_out" && session.provider !== null && (
        <ProviderSignIn notice={session.notice} provider={session.provider} />
      )}
      {session.kind === "signed_in" && place.view === "ask" && (
        <AskingView
          key={session.demo?.current.org_id ?? ""}
          token={session.token}
          suggestions={session.suggestions}
          conversation={conversation}
          listing={listing}
          onListed={unlist}
          onSignInAgain={signInAgain}
        />
      )}
      {session.kind === "signed_in" && place.view === "deliveries" && (
        <DeliveriesView
          key={session.demo?.current.org_id ?? ""}
          token={session.token}
          hash={place.hash}
          onSignInAgain={signInAgain}
        />
      )}
    </>
  );
};
