import type { Clock } from "../../../ingest/clock.ts";

/** Where a request goes and for whom: an organization's requests to one origin share its places. */
export interface Place {
  readonly orgId: string;
  readonly endpoint: string;
}

export interface TurnLimits {
  /** Requests under way at once. */
  readonly total: number;
  /** Of one organization: however many of its endpoints hang, places are left for the others. */
  readonly perOrg: number;
  /** Of one organization to one origin (semantics 8.14). */
  readonly perEndpoint: number;
}

export interface Queue {
  /** How many wait for the endpoint, for any of its organization's, and for any at all. */
  readonly endpoint: number;
  readonly org: number;
  readonly all: number;
  /** How long the first of the endpoint has waited. */
  readonly waitedMs: number;
}

interface Endpoint {
  active: number;
  readonly waiting: { readonly since: number; begin(): void }[];
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
 * Hands out places: organizations take turns, within one its endpoints, at an endpoint the first to come. What hangs
 * takes its own endpoint's places and nobody else's.
 */
export function createTurns({ total, perOrg, perEndpoint }: TurnLimits, clock: Pick<Clock, "now">) {
  const orgs = new Map<string, Org>();
  const inTurn: Org[] = [];
  let active = 0;
  let waiting = 0;

  function orgOf({ orgId }: Place): Org {
    const known = orgs.get(orgId) ?? { active: 0, waiting: 0, endpoints: new Map(), ready: [], inTurn: false };
    orgs.set(orgId, known);
    return known;
  }
  function endpointOf(org: Org, { endpoint }: Place): Endpoint {
    const known = org.endpoints.get(endpoint) ?? { active: 0, waiting: [], ready: false };
    org.endpoints.set(endpoint, known);
    return known;
  }

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

  function admit(): void {
    while (active < total) {
      const org = inTurn.shift();
      const endpoint = org?.ready.shift();
      if (org === undefined || endpoint === undefined) return;
      [org.inTurn, endpoint.ready] = [false, false];
      active += 1;
      waiting -= 1;
      org.active += 1;
      org.waiting -= 1;
      endpoint.active += 1;
      endpoint.waiting.shift()?.begin();
      lineUp(org, endpoint);
    }
  }

  function leave(place: Place): void {
    const org = orgOf(place);
    const endpoint = endpointOf(org, place);
    active -= 1;
    org.active -= 1;
    endpoint.active -= 1;
    lineUp(org, endpoint);
    if (endpoint.active === 0 && endpoint.waiting.length === 0) org.endpoints.delete(place.endpoint);
    if (org.active === 0 && org.waiting === 0) orgs.delete(place.orgId);
    admit();
  }

  return {
    /** Resolves when its turn has come, with what gives the place back; once more does nothing. */
    enter(place: Place): Promise<() => void> {
      const org = orgOf(place);
      const endpoint = endpointOf(org, place);
      let left = false;
      const leaveOnce = () => {
        if (!left) leave(place);
        left = true;
      };
      return new Promise((resolve) => {
        waiting += 1;
        org.waiting += 1;
        endpoint.waiting.push({ since: clock.now(), begin: () => resolve(leaveOnce) });
        lineUp(org, endpoint);
        admit();
      });
    },

    waiting(place: Place): Queue {
      const org = orgs.get(place.orgId);
      const endpoint = org?.endpoints.get(place.endpoint);
      const [first] = endpoint?.waiting ?? [];
      const waitedMs = first === undefined ? 0 : clock.now() - first.since;
      return { endpoint: endpoint?.waiting.length ?? 0, org: org?.waiting ?? 0, all: waiting, waitedMs };
    },
  };
}
export type Turns = ReturnType<typeof createTurns>;
