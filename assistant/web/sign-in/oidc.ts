import * as oauth from "oauth4webapi";
import type { PageSession } from "../wire.ts";

export type Provider = Extract<PageSession, { mode: "oidc" }>;

/** A sign-in that failed at the provider, in words for the analyst. */
export class SignInError extends Error {
  override readonly name = "SignInError";
}

const startedKey = "trunkline.sign_in";
const redirectUri = (): string => `${location.origin}/`;

/** Only the provider of a test or of one's own machine may be without TLS; the server admits no other. */
const options = ({ issuer }: Provider) => ({ [oauth.allowInsecureRequests]: issuer.startsWith("http://") });

const discover = async (provider: Provider): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(provider.issuer);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options(provider)));
};

/**
 * Names the audience of the access token: some providers read `resource`, some `audience`, and each ignores the other.
 */
const audienceOf = ({ audience }: Provider): Record<string, string> =>
  audience === "" ? {} : { audience, ...(URL.canParse(audience) ? { resource: audience } : {}) };

/** Leaves for the provider's page, which comes back to this one with a code. */
export const beginSignIn = async (provider: Provider): Promise<void> => {
  const server = await discover(provider);
  if (server.authorization_endpoint === undefined) throw new SignInError("The provider has no page to sign in at.");
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  // The provider leads back to the page without the hash that a link had opened.
  sessionStorage.setItem(startedKey, JSON.stringify({ verifier, state, hash: location.hash }));
  const address = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: provider.client_id,
    redirect_uri: redirectUri(),
    response_type: "code",
    scope: provider.scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    ...audienceOf(provider),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  location.assign(address);
};

/** True where the address is the provider's answer to a sign-in that began in this tab. */
const hasAnswer = (): boolean => {
  const given = new URLSearchParams(location.search);
  return given.has("state") && (given.has("code") || given.has("error")) && sessionStorage.getItem(startedKey) !== null;
};

type Started = { readonly verifier: string; readonly state: string; readonly hash: string };

const readStarted = (): Started => {
  const { verifier, state, hash = "" } = JSON.parse(sessionStorage.getItem(startedKey) ?? "{}");
  return { verifier: String(verifier), state: String(state), hash: String(hash) };
};

/** The access token that the provider's answer leads to; null where there is no answer. Throws `SignInError`. */
export const endSignIn = async (provider: Provider): Promise<string | null> => {
  if (!hasAnswer()) return null;
  const [address, { verifier, state, hash }] = [new URL(location.href), readStarted()];
  // A code works once: going back or reloading must not send it again.
  sessionStorage.removeItem(startedKey);
  history.replaceState(null, "", location.pathname);
  // Unlike replaceState, this fires hashchange.
  if (hash.startsWith("#")) location.replace(hash);
  try {
    return await exchange(provider, { address, verifier, state });
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw new SignInError(`The provider did not sign you in (${error.error}). Try again.`, { cause: error });
    }
    throw new SignInError("Signing in could not be completed. Try again.", { cause: error });
  }
};

type Returned = { readonly address: URL; readonly verifier: string; readonly state: string };

const exchange = async (provider: Provider, { address, verifier, state }: Returned): Promise<string> => {
  const server = await discover(provider);
  const client: oauth.Client = { client_id: provider.client_id };
  const parameters = oauth.validateAuthResponse(server, client, address, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri(),
    verifier,
    { ...options(provider), additionalParameters: audienceOf(provider) },
  );
  return (await oauth.processAuthorizationCodeResponse(server, client, response)).access_token;
};
