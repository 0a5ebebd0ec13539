import { useCallback, useState } from "preact/hooks";
import { SignedOutView } from "./sign-in/signed-out-view.tsx";
import { SignedInView } from "./signed-in-view.tsx";
import { TopBar } from "./top-bar.tsx";
import { useAnalyst } from "./use-analyst.ts";
import { Zone } from "./zone.ts";

export const App = () => {
  const { session, open, signIn, leave, signInAgain, change, conversation, at } = useAnalyst();
  const [listing, setListing] = useState(false);
  const unlist = useCallback((): void => setListing(false), []);
  return (
    <>
      <TopBar
        session={session}
        listing={listing}
        view={at.place.view}
        onList={() => setListing(!listing)}
        onNew={conversation.turns.length > 0 ? conversation.clear : null}
        onChoose={change}
        onSignOut={leave}
      />
      {session.kind === "signed_in" ? (
        <Zone.Provider value={session.zone}>
          <SignedInView
            session={session}
            conversation={conversation}
            at={at}
            listing={listing}
            onListed={unlist}
            onSignInAgain={signInAgain}
          />
        </Zone.Provider>
      ) : (
        <SignedOutView session={session} onOpen={() => void open()} onSignIn={signIn} />
      )}
    </>
  );
};
