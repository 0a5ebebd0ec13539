import { useCallback } from "preact/hooks";
import { ask } from "./client.ts";
import { toSessionHash } from "./place.ts";
import { RequestError } from "./problem.ts";
import { isRefusal, useSession } from "./sign-in/use-session.ts";
import { type Ask, useConversation } from "./use-conversation.ts";
import { usePlace } from "./use-place.ts";

const signedOut = () => new RequestError({ status: 401, code: "signed_out", message: "" });

/** Who asks, where on the page, and the conversation, which outlives its views and an expired token. */
export const useAnalyst = () => {
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

  const conversation = useConversation(askAsAnalyst);
  const at = usePlace();

  /** What is open is nobody's who comes next. */
  const leaveAll = (): void => {
    conversation.clear();
    at.settle(toSessionHash(null));
  };
  const leave = (): void => {
    leaveAll();
    void signOut(null);
  };
  const signInAgain = (): void => void signOut("Your access token has expired. Sign in to go on where you were.");
  const change = (organizationId: string): void => {
    if (at.place.view === "ask") leaveAll();
    else conversation.clear();
    void choose(organizationId);
  };

  return { session, open, signIn, leave, signInAgain, change, conversation, at };
};
