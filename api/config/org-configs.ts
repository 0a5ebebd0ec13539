import { setImmediate as giveWay } from "node:timers/promises";
import type { ConfigChange } from "../database/database.ts";
import { createEndpoints } from "./endpoints.ts";
import { createOrgConfig, type OrgConfig, type OrgConfigEditor } from "./org-config.ts";
import type { ConfigDocument } from "./registry.ts";
import type { ConfigStore, Organization } from "./store.ts";

/** Prepared and put at once; then others have their turn. */
const documentsPerTurn = 20;

/** Makes ready what decisions ask of a document, before they can meet it. */
export type Prepare = (document: ConfigDocument) => void;

/** Every organization's config as it was read last. Readings must come one after the other. */
export function createOrgConfigs(store: ConfigStore, prepare: Prepare = () => undefined) {
  let editors = new Map<string, OrgConfigEditor>();
  const of = (orgId: string): OrgConfig | undefined => editors.get(orgId)?.config;
  const endpoints = createEndpoints(of);

  function put(editor: OrgConfigEditor | undefined, document: ConfigDocument): void {
    prepare(document);
    editor?.put(document);
    endpoints.learn(document);
  }

  async function readOne(organization: Organization): Promise<OrgConfigEditor> {
    const editor = createOrgConfig(organization);
    for (const [index, document] of (await store.documents(organization.id)).entries()) {
      put(editor, document);
      if (index % documentsPerTurn === documentsPerTurn - 1) await giveWay();
    }
    return editor;
  }

  return {
    of,
    all: (): readonly OrgConfig[] => [...editors.values()].map(({ config }) => config),
    inboundRtb: endpoints.inboundRtb,
    incomingWebhook: endpoints.incomingWebhook,

    /** All again, put in place whole: until then the old ones answer. */
    async readAll(): Promise<void> {
      const read = (await store.organizations()).map(async (each) => [each.id, await readOne(each)] as const);
      editors = new Map(await Promise.all(read));
    },

    /** New organizations with all they have, and what the others are called now. */
    async readOrganizations(): Promise<void> {
      for (const organization of await store.organizations()) {
        const known = editors.get(organization.id);
        if (known === undefined) editors.set(organization.id, await readOne(organization));
        else known.rename(organization);
      }
    },

    /** Documents that have changed, each as it is now; those that are gone go here, too. */
    async readChanged(changes: readonly ConfigChange[]): Promise<void> {
      const changed = new Map(changes.map(({ type, id, orgId }) => [`${type} ${id}`, { type, id, orgId }]));
      const documents = await store.find([...changed.values()]);
      const found = new Map(documents.map((document) => [`${document.type} ${document.doc.id}`, document]));
      for (const [name, { type, id, orgId }] of changed) {
        const document = found.get(name);
        if (document === undefined) editors.get(orgId)?.remove(type, id);
        else put(editors.get(document.doc.org_id), document);
      }
    },
  };
}
