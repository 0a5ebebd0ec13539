import { useCallback, useEffect, useState } from "preact/hooks";
import { readSession, readSuggestions, readZone } from "../client.ts";
import { type Problem, RequestError, toProblem } from "../problem.ts";
import type { Organization } from "../wire.ts";
import { endSignIn, type Provider, SignInError } from "./oidc.ts";

export type Session =
  | { readonly kind: "loading" }
  | { readonly kind: "unreachable"; readonly problem: Problem }
  | { readonly kind: "signed_out"; readonly notice: string | null; readonly provider: Provider | null }
  | {
      readonly kind: "signed_in";
      readonly token: string;
      readonly suggestions: readonly string[];
      readonly zone: string;
      readonly demo: { readonly organizations: readonly Organization[]; readonly current: Organization } | null;
    };

const tokenKey = "trunkline.access_token";
const organizationKey = "trunkline.organization";
const refusedNotice = "This access token was not accepted. It may have expired; ask your administrator for a new one.";
const strangerNotice = "You are signed in, but not to an organization that is here. Ask your administrator.";

/** Whether the server did not accept the token. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RequestError && (error.status === 401 || error.status === 403);

/** Whatever zone times are shown in is named beside them: UTC will do where the organization's cannot be read. */
const zoneOrUtc = (token: string): Promise<string> => readZone(token).catch(() => "UTC");

const openDemo = async (organizations: readonly Organization[]): Promise<Session> => {
  const wanted = sessionStorage.getItem(organizationKey);
  const current = organizations.find(({ org_id }) => org_id === wanted) ?? organizations[0];
  if (current === undefined) return { kind: "signed_out", notice: "The demo has no organization yet.", provider: null };
  // Suggestions are a courtesy here: without them a question can still be asked.
  const [suggestions, zone] = await Promise.all([
    readSuggestions(current.access_token).catch(() => []),
    zoneOrUtc(current.access_token),
  ]);
  return { kind: "signed_in", token: current.access_token, suggestions, zone, demo: { organizations, current } };
};

const openToken = async (token: string | null, provider: Provider | null): Promise<Session> => {
  if (token === null) return { kind: "signed_out", notice: null, provider };
  try {
    const [suggestions, zone] = await Promise.all([readSuggestions(token), zoneOrUtc(token)]);
    sessionStorage.setItem(tokenKey, token);
    return { kind: "signed_in", token, suggestions, zone, demo: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    sessionStorage.removeItem(tokenKey);
    return { kind: "signed_out", notice: provider === null ? refusedNotice : strangerNotice, provider };
  }
};

/** With the token that the provider's answer in the address leads to, or the tab's own. */
const openAtProvider = async (provider: Provider): Promise<Session> => {
  try {
    return await openToken((await endSignIn(provider)) ?? sessionStorage.getItem(tokenKey), provider);
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    return { kind: "signed_out", notice: error.message, provider };
  }
};

const openSession = async (): Promise<Session> => {
  const page = await readSession();
  if (page.mode === "demo") return openDemo(page.organizations);
  return page.mode === "oidc" ? openAtProvider(page) : openToken(sessionStorage.getItem(tokenKey), null);
};

const orUnreachable = (error: unknown): Session => ({ kind: "unreachable", problem: toProblem(error) });

const orAskAgain = (error: unknown): Session => {
  const { title, advice } = toProblem(error);
  return { kind: "signed_out", notice: `${title} ${advice}`, provider: null };
};

/** Who asks: signed in by the demo, or by an access token that lives as long as the tab. */
export const useSession = () => {
  const [session, setSession] = useState<Session>({ kind: "loading" });

  const open = useCallback(async (): Promise<Session> => {
    const opened = await openSession().catch(orUnreachable);
    setSession(opened);
    return opened;
  }, []);

  const signIn = useCallback(async (token: string): Promise<void> => {
    setSession(await openToken(token, null).catch(orAskAgain));
  }, []);

  const signOut = useCallback(
    async (notice: string | null): Promise<void> => {
      sessionStorage.removeItem(tokenKey);
      const opened = await open();
      if (opened.kind === "signed_out") setSession({ ...opened, notice });
    },
    [open],
  );

  const choose = useCallback(
    async (organizationId: string): Promise<void> => {
      sessionStorage.setItem(organizationKey, organizationId);
      await open();
    },
    [open],
  );

  useEffect(() => {
    void open();
  }, [open]);

  return { session, open, signIn, signOut, choose };
};
