import { useCallback, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { CallsView } from "./calls/calls-view.tsx";
import { AskView } from "./conversation/ask-view.tsx";
import { type Ask, useConversation } from "./conversation/use-conversation.ts";
import { DeliveriesView } from "./deliveries/deliveries-view.tsx";
import { overviewHash, sessionHash, useHashLocation, viewNames } from "./hash-location.ts";
import { createLazyView } from "./lazy-view.tsx";
import { OverviewView } from "./overview/overview-view.tsx";
import { isRefusal, RequestError } from "./problem.ts";
import { SessionContext, useCatalog } from "./session-context.ts";
import { SignedOutView } from "./sign-in/signed-out-view.tsx";
import { type Session, type SignedIn, useSignIn } from "./sign-in/use-sign-in.ts";
import { TopBar } from "./top-bar.tsx";

const BoardView = createLazyView(() => import("./board/board-view.tsx"));
const RoutingView = createLazyView(() => import("./routing/routing-view.tsx"));
const SchedulesView = createLazyView(() => import("./schedules/schedules-view.tsx"));
const WebhooksView = createLazyView(() => import("./webhooks/webhooks-view.tsx"));

/** Asks as the analyst who is signed in; the demo's short-lived token is renewed unseen. */
const useAsk = (session: Session, open: () => Promise<Session>): Ask =>
  useCallback(
    async (question, options) => {
      if (session.kind !== "signed_in") throw new RequestError({ status: 401, code: "signed_out", message: "" });
      try {
        return await session.client.ask(question, options);
      } catch (error) {
        if (session.demo === null || !isRefusal(error)) throw error;
        const renewed = await open();
        if (renewed.kind !== "signed_in") throw error;
        return renewed.client.ask(question, options);
      }
    },
    [session, open],
  );

type ViewProps = {
  readonly session: SignedIn;
  readonly conversation: ReturnType<typeof useConversation>;
  readonly location: ReturnType<typeof useHashLocation>;
  readonly panelOpen: boolean;
  readonly onPanelClose: () => void;
  readonly onSignInAgain: () => void;
};

/** The view that the address names, drawn anew for another organization. */
const SignedInView = ({ session, conversation, location, panelOpen, onPanelClose, onSignInAgain }: ViewProps) => {
  const catalog = useCatalog(session.client, location.at.view === "ask");
  const context = useMemo(
    () => ({ ...session, catalog, signInAgain: onSignInAgain }),
    [session, catalog, onSignInAgain],
  );
  const organization = session.demo?.current.org_id ?? "";
  const { at, replace } = location;
  return (
    <SessionContext.Provider value={context}>
      {at.view === "overview" && <OverviewView key={`${organization} ${at.day}`} day={at.day} />}
      {at.view === "calls" && <CallsView key={organization} hash={at.hash} call={at.call} />}
      {at.view === "ask" && (
        <AskView
          key={organization}
          conversation={conversation}
          at={at}
          replaceHash={replace}
          panelOpen={panelOpen}
          onPanelClose={onPanelClose}
        />
      )}
      {at.view === "board" && <BoardView key={organization} question={at.question} />}
      {at.view === "schedules" && <SchedulesView key={organization} question={at.question} />}
      {at.view === "routing" && <RoutingView key={organization} hash={at.hash} />}
      {at.view === "webhooks" && <WebhooksView key={organization} hash={at.hash} />}
      {at.view === "deliveries" && <DeliveriesView key={organization} hash={at.hash} />}
    </SessionContext.Provider>
  );
};

const expired = "Your access token has expired. Sign in to go on where you were.";

/** The page. The conversation lives here, above the views: it outlives them, and an expired token. */
export const App = () => {
  const { session, open, signIn, signOut, choose } = useSignIn();
  const conversation = useConversation(useAsk(session, open));
  const location = useHashLocation();
  const [panelOpen, setPanelOpen] = useState(false);
  const closePanel = useCallback((): void => setPanelOpen(false), []);
  const signInAgain = useCallback((): void => void signOut(expired), [signOut]);
  const { view } = location.at;
  useLayoutEffect(() => {
    document.title = `${viewNames[view]} – Trunkline`;
  }, [view]);

  return (
    <>
      <TopBar
        session={session}
        view={view}
        panelOpen={panelOpen}
        onPanel={() => setPanelOpen(!panelOpen)}
        onNew={conversation.turns.length > 0 ? conversation.clear : null}
        onChoose={(organizationId) => {
          conversation.clear();
          if (view === "ask") location.replace(sessionHash(null));
          void choose(organizationId);
        }}
        onSignOut={() => {
          conversation.clear();
          location.replace(overviewHash);
          void signOut(null);
        }}
      />
      {session.kind === "signed_in" ? (
        <SignedInView
          session={session}
          conversation={conversation}
          location={location}
          panelOpen={panelOpen}
          onPanelClose={closePanel}
          onSignInAgain={signInAgain}
        />
      ) : (
        <SignedOutView session={session} onOpen={() => void open()} onSignIn={signIn} />
      )}
    </>
  );
};
