import { AskingView } from "./asking-view.tsx";
import { DeliveriesView } from "./deliveries/deliveries-view.tsx";
import type { Session } from "./sign-in/use-session.ts";
import type { useConversation } from "./use-conversation.ts";
import type { usePlace } from "./use-place.ts";

type Props = {
  readonly session: Extract<Session, { kind: "signed_in" }>;
  readonly conversation: ReturnType<typeof useConversation>;
  readonly at: ReturnType<typeof usePlace>;
  readonly listing: boolean;
  readonly onListed: () => void;
  readonly onSignInAgain: () => void;
};

/** The view that the address names; another organization's is another one. */
export const SignedInView = ({ session, conversation, at: { place, settle }, ...props }: Props) => {
  const { listing, onListed, onSignInAgain } = props;
  const { token, suggestions } = session;
  const organization = session.demo?.current.org_id ?? "";
  return place.view === "ask" ? (
    <AskingView
      key={organization}
      token={token}
      suggestions={suggestions}
      conversation={conversation}
      place={place}
      settle={settle}
      listing={listing}
      onListed={onListed}
      onSignInAgain={onSignInAgain}
    />
  ) : (
    <DeliveriesView key={organization} token={token} onSignInAgain={onSignInAgain} hash={place.hash} />
  );
};
