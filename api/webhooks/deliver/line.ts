/** Where a request goes and for whom: an organization's requests to one origin share its places. */
export interface Place {
  readonly orgId: string;
  readonly endpoint: string;
}

export interface LineLimits {
  /** Of one organization: however many of its endpoints hang, places are left for the others. */
  readonly perOrg: number;
  /** Of one organization to one origin (semantics 8.14). */
  readonly perEndpoint: number;
}

export interface Waiter {
  /** Milliseconds since 1970. */
  readonly since: number;
  begin(): void;
}

interface Endpoint {
  active: number;
  readonly waiting: Waiter[];
  /** Whether it stands among its organization's endpoints that can begin one. */
  ready: boolean;
}
interface Org {
  active: number;
  waiting: number;
  readonly endpoints: Map<string, Endpoint>;
  /** Endpoints with somebody waiting and a free place, in turn. */
  readonly ready: Endpoint[];
  inTurn: boolean;
}

/**
 * Who waits, and who of them is next: organizations take turns, within one its endpoints, at an endpoint the first to
 * come. An organization and an endpoint without a free place are passed over.
 */
export function createLine({ perOrg, perEndpoint }: LineLimits) {
  const orgs = new Map<string, Org>();
  const inTurn: Org[] = [];

  /** Lines up the endpoint and its organization, where they can begin one. */
  function lineUp(org: Org, endpoint: Endpoint): void {
    if (!endpoint.ready && endpoint.waiting.length > 0 && endpoint.active < perEndpoint) {
      endpoint.ready = true;
      org.ready.push(endpoint);
    }
    if (!org.inTurn && org.ready.length > 0 && org.active < perOrg) {
      org.inTurn = true;
      inTurn.push(org);
    }
  }

  return {
    join(place: Place, waiter: Waiter): void {
      const [org, endpoint] = findOrAdd(orgs, place);
      org.waiting += 1;
      endpoint.waiting.push(waiter);
      lineUp(org, endpoint);
    },

    /** Whose turn it is: it has a place of its organization's and its endpoint's from now on. */
    next(): Waiter | undefined {
      const org = inTurn.shift();
      const endpoint = org?.ready.shift();
      if (org === undefined || endpoint === undefined) return undefined;
      [org.inTurn, endpoint.ready] = [false, false];
      org.active += 1;
      org.waiting -= 1;
      endpoint.active += 1;
      const next = endpoint.waiting.shift();
      lineUp(org, endpoint);
      return next;
    },

    /** Gives back a place; where nobody has one any more or waits, nothing is kept. */
    leave(place: Place): void {
      const [org, endpoint] = findOrAdd(orgs, place);
      org.active -= 1;
      endpoint.active -= 1;
      lineUp(org, endpoint);
      if (endpoint.active === 0 && endpoint.waiting.length === 0) org.endpoints.delete(place.endpoint);
      if (org.active === 0 && org.waiting === 0) orgs.delete(place.orgId);
    },

    waiting(place: Place): { readonly endpoint: readonly Waiter[]; readonly org: number } {
      const org = orgs.get(place.orgId);
      return { endpoint: org?.endpoints.get(place.endpoint)?.waiting ?? [], org: org?.waiting ?? 0 };
    },
  };
}

/** Those of the place, new ones where there are none. */
function findOrAdd(orgs: Map<string, Org>, { orgId, endpoint: name }: Place): readonly [Org, Endpoint] {
  const org = orgs.get(orgId) ?? { active: 0, waiting: 0, endpoints: new Map(), ready: [], inTurn: false };
  const endpoint = org.endpoints.get(name) ?? { active: 0, waiting: [], ready: false };
  orgs.set(orgId, org);
  org.endpoints.set(name, endpoint);
  return [org, endpoint];
}
