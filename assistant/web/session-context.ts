import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { Client } from "./client.ts";
import type { SignedIn } from "./sign-in/use-sign-in.ts";
import { type Catalog, catalogSchema } from "./wire.ts";

/**
 * The signed-in analyst, for every component below: the client with their token, the organization's zone, the catalog.
 */
export type SessionContext = SignedIn & {
  /** Null until it is read, and where it cannot be: then nothing is offered for choice. */
  readonly catalog: Catalog | null;
  readonly signInAgain: () => void;
};

export const SessionContext = createContext<SessionContext | null>(null);

export const useSession = (): SessionContext => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession is for components below SessionContext.Provider");
  return session;
};

/** The zone in which the page shows every time: the organization's. */
export const useZone = (): string => useSession().zone;

/** True where the user's role lets them do it, and where the role is not known: the server refuses what it does not. */
export const useMay = (right: "questions:write" | "exports:read"): boolean => {
  const { rights } = useSession();
  return rights === null || rights.includes(right);
};

/**
 * Reads the catalog once it is `wanted`, before the view makes its own requests: chips that came later would move a
 * conversation's answers.
 */
export const useCatalog = (client: Client, wanted: boolean): Catalog | null => {
  const [catalog, setCatalog] = useState<Catalog | null>(null);
  const isMissing = wanted && catalog === null;
  useLayoutEffect(() => {
    if (!isMissing) return;
    let current = true;
    client.get("/reporting_ai/catalog", catalogSchema).then(
      (found) => current && setCatalog(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [client, isMissing]);
  return catalog;
};
