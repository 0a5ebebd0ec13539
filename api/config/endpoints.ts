import { timingSafeEqual } from "node:crypto";
import type { OrgId } from "../../ingest/primitives.ts";
import { hashKey } from "./api-keys.ts";
import type { OrgConfig } from "./org-config.ts";
import type { ConfigDocument, Resource } from "./registry.ts";

/** Where pings are made, and by whose config they are answered. */
export interface InboundEndpoint {
  readonly config: OrgConfig;
  readonly inboundRtb: Resource<"inbound_rtb">;
}

/** Where customers' systems send data, and whose it is. */
export interface IncomingEndpoint {
  readonly config: OrgConfig;
  readonly webhook: Resource<"incoming_webhook">;
}

/**
 * Whose the addresses are that outsiders name without an organization. Who had one is never forgotten: the owner's
 * config says whether it still does.
 */
export function createEndpoints(configOf: (orgId: string) => OrgConfig | undefined) {
  const inboundRtbOwners = new Map<string, OrgId>();
  /** By the hash of the auth key. */
  const incomingWebhooks = new Map<string, { readonly orgId: OrgId; readonly id: string }>();

  return {
    learn({ type, doc }: ConfigDocument): void {
      if (type === "inbound_rtb") inboundRtbOwners.set(doc.inbound_rtb_id ?? "", doc.org_id);
      if (type === "incoming_webhook") {
        incomingWebhooks.set(hashKey(doc.auth_key ?? ""), { orgId: doc.org_id, id: doc.id });
      }
    },
    /** The inbound RTB of this public id, whosever it is. */
    inboundRtb(publicId: string): InboundEndpoint | undefined {
      const config = configOf(inboundRtbOwners.get(publicId) ?? "");
      const inboundRtb = config?.inboundRtb(publicId);
      return config && inboundRtb && { config, inboundRtb };
    },
    /** The incoming webhook that has this auth key now; how long the answer takes tells nothing of the key. */
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
