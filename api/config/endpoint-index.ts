import { timingSafeEqual } from "node:crypto";
import type { OrgId } from "../../ingest/primitives.ts";
import { hashKey } from "./api-keys.ts";
import type { OrgConfig } from "./org-config.ts";
import type { ConfigDocument, Resource } from "./registry.ts";

/** An inbound RTB that is pinged, with its organization's config. */
export interface InboundEndpoint {
  readonly config: OrgConfig;
  readonly inboundRtb: Resource<"inbound_rtb">;
}

/** An incoming webhook that receives data, with its organization's config. */
export interface IncomingEndpoint {
  readonly config: OrgConfig;
  readonly webhook: Resource<"incoming_webhook">;
}

/**
 * Creates an index, over all organizations, of the endpoints whose requests name no organization. Entries are never
 * removed: the organization's config says whether it still has the endpoint.
 */
export function createEndpointIndex(configOf: (orgId: string) => OrgConfig | undefined) {
  const inboundRtbOwners = new Map<string, OrgId>();
  /** Keyed by the hash of the auth key. */
  const incomingWebhooks = new Map<string, { readonly orgId: OrgId; readonly id: string }>();

  return {
    put({ type, doc }: ConfigDocument): void {
      if (type === "inbound_rtb") inboundRtbOwners.set(doc.inbound_rtb_id ?? "", doc.org_id);
      if (type === "incoming_webhook") {
        incomingWebhooks.set(hashKey(doc.auth_key ?? ""), { orgId: doc.org_id, id: doc.id });
      }
    },
    /** Returns the inbound RTB of this public id. */
    inboundRtb(publicId: string): InboundEndpoint | undefined {
      const config = configOf(inboundRtbOwners.get(publicId) ?? "");
      const inboundRtb = config?.inboundRtb(publicId);
      return config && inboundRtb && { config, inboundRtb };
    },
    /** Returns the incoming webhook that has this auth key; in constant time with regard to the key. */
    incomingWebhook(key: string): IncomingEndpoint | undefined {
      const hash = hashKey(key);
      const owner = incomingWebhooks.get(hash);
      const config = configOf(owner?.orgId ?? "");
      const webhook = config?.get("incoming_webhook", owner?.id);
      const isKey = timingSafeEqual(Buffer.from(hash), Buffer.from(hashKey(webhook?.auth_key ?? "")));
      return config && webhook && isKey ? { config, webhook } : undefined;
    },
  };
}
