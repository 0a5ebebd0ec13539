import { useCallback, useEffect, useState } from "preact/hooks";
import { type Client, createClient, readSession } from "../client.ts";
import { setClockOffset } from "../clock.ts";
import { errorText, isRefusal, type Problem, toProblem } from "../problem.ts";
import { type Organization, ownOrganizationSchema, type PageSession } from "../wire.ts";
import { endSignIn, type Provider, SignInError } from "./oidc.ts";

export type Session =
  | { readonly kind: "loading" }
  | { readonly kind: "unreachable"; readonly problem: Problem }
  | { readonly kind: "signed_out"; readonly notice: string | null; readonly provider: Provider | null }
  | SignedIn;

export type SignedIn = {
  readonly kind: "signed_in";
  readonly client: Client;
  /** The zone in which the organization's days begin. */
  readonly zone: string;
  /** The user's permissions, such as `questions:write`; null where it could not be read. */
  readonly rights: readonly string[] | null;
  readonly demo: Demo | null;
};

export type Demo = {
  readonly organizations: readonly Organization[];
  readonly current: Organization;
  /** True where nothing can be changed: the page is over fixtures. */
  readonly readOnly: boolean;
};

const tokenKey = "trunkline.access_token";
const organizationKey = "trunkline.organization";
const refusedNotice = "This access token was not accepted. It may have expired; ask your administrator for a new one.";
const strangerNotice = "You are signed in, but not to an organization that is here. Ask your administrator.";

/** Also the cheapest request that tells whether a token is accepted. */
const readOwn = async (client: Client): Promise<Pick<SignedIn, "zone" | "rights">> => {
  const { timezone: zone, rights = null } = await client.get("/v1/organization", ownOrganizationSchema);
  return { zone, rights };
};

type DemoSession = Extract<PageSession, { mode: "demo" }>;

const openDemo = async ({ organizations, read_only: readOnly = false }: DemoSession): Promise<Session> => {
  const wanted = sessionStorage.getItem(organizationKey);
  const current = organizations.find(({ org_id }) => org_id === wanted) ?? organizations[0];
  if (current === undefined) return { kind: "signed_out", notice: "The demo has no organization yet.", provider: null };
  const client = createClient(current.access_token);
  // The zone is named beside the times shown in it, so UTC will do where the organization's cannot be read.
  const own = await readOwn(client).catch(() => ({ zone: "UTC", rights: null }));
  return { kind: "signed_in", client, ...own, demo: { organizations, current, readOnly } };
};

const openToken = async (token: string | null, provider: Provider | null): Promise<Session> => {
  if (token === null) return { kind: "signed_out", notice: null, provider };
  try {
    const client = createClient(token);
    const own = await readOwn(client);
    sessionStorage.setItem(tokenKey, token);
    return { kind: "signed_in", client, ...own, demo: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    sessionStorage.removeItem(tokenKey);
    return { kind: "signed_out", notice: provider === null ? refusedNotice : strangerNotice, provider };
  }
};

/** Signs in with the token that the provider's answer in the address leads to, or with the tab's own. */
const openProvider = async (provider: Provider): Promise<Session> => {
  try {
    return await openToken((await endSignIn(provider)) ?? sessionStorage.getItem(tokenKey), provider);
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    return { kind: "signed_out", notice: error.message, provider };
  }
};

const openSession = async (): Promise<Session> => {
  const page = await readSession();
  if (page.mode === "demo") {
    setClockOffset(page.clock_offset_ms ?? 0);
    return openDemo(page);
  }
  return page.mode === "oidc" ? openProvider(page) : openToken(sessionStorage.getItem(tokenKey), null);
};

/** Signs the analyst in: by the demo, an identity provider, or a typed access token that lives as long as the tab. */
export const useSignIn = () => {
  const [session, setSession] = useState<Session>({ kind: "loading" });

  const open = useCallback(async (): Promise<Session> => {
    const opened = await openSession().catch((error): Session => ({ kind: "unreachable", problem: toProblem(error) }));
    setSession(opened);
    return opened;
  }, []);

  const signIn = useCallback(async (token: string): Promise<void> => {
    setSession(
      await openToken(token, null).catch(
        (error): Session => ({ kind: "signed_out", notice: errorText(error), provider: null }),
      ),
    );
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
