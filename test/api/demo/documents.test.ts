import { describe, expect, it } from "vitest";
import { toDocument } from "../../../api/config/registry.ts";
import { demoOrganizations } from "../../../api/demo/documents.ts";
import { stateOfNumber } from "../../../api/routing/area-codes.ts";
import { now, organizations } from "./collected.ts";

const namesOf = ({ documents }: (typeof organizations)[number]) =>
  documents.flatMap(({ doc }) => ("name" in doc ? [doc.name] : []));

const documentsOf = (type: string) =>
  organizations.flatMap(({ documents }) => documents.filter((document) => document.type === type));

describe("the config of the demo", () => {
  it("holds documents that the config takes as they are", () => {
    for (const { documents } of organizations) {
      for (const { type, doc } of documents) expect(() => toDocument(type, doc), type).not.toThrow();
    }
  });

  it("is the same for the same seed, and has other ids for another one", () => {
    const options = { seed: 7, now, receiverUrl: "http://127.0.0.1:4000" };
    expect(demoOrganizations(options)).toEqual(organizations);
    const ids = new Set(organizations.flatMap(({ documents }) => documents.map(({ doc }) => doc.id)));
    const others = demoOrganizations({ ...options, seed: 8 }).flatMap(({ documents }) => documents);
    expect(others.filter(({ doc }) => ids.has(doc.id))).toEqual([]);
  });

  it("gives every document an id of its own", () => {
    const ids = organizations.flatMap(({ documents }) => documents.map(({ doc }) => doc.id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shares no name between the organizations, so that a leak would be seen", () => {
    const [first, second] = organizations.map(namesOf);
    expect(first?.filter((name) => second?.includes(name))).toEqual([]);
  });

  it("refers only to what comes before it in the same organization", () => {
    for (const { documents } of organizations) {
      const seen = new Set<string>();
      for (const { type, doc } of documents) {
        const references = [...JSON.stringify(doc).matchAll(/"(?:\w+_id|)":"([0-9a-f-]{36})"/g)].map(
          ([, id]) => id ?? "",
        );
        for (const id of references.filter((id) => id !== doc.id && id !== doc.org_id)) {
          expect(seen.has(id), `${type} refers to ${id}`).toBe(true);
        }
        seen.add(doc.id);
      }
    }
  });

  it("has enough of everything in both organizations", () => {
    for (const { documents } of organizations) {
      const count = (type: string) => documents.filter((document) => document.type === type).length;
      expect(count("campaign")).toBeGreaterThanOrEqual(5);
      expect(count("publisher")).toBeGreaterThanOrEqual(6);
      expect(count("buyer")).toBeGreaterThanOrEqual(5);
      expect(count("target")).toBeGreaterThanOrEqual(10);
      expect(count("outgoing_webhook")).toBeGreaterThanOrEqual(5);
      expect(count("incoming_webhook")).toBe(4);
    }
  });

  it("has tracking numbers of many states in the block that is kept for fiction, each number once", () => {
    const numbers = documentsOf("number").map(({ doc }) => ("number" in doc ? String(doc.number) : ""));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers) expect(number).toMatch(/^\+1\d{3}55501\d{2}$/);
    expect(new Set(numbers.map(stateOfNumber)).size).toBeGreaterThan(15);
  });

  it("counts in every pool the numbers that are in it", () => {
    const pools = documentsOf("number_pool").map(({ doc }) => toDocument("number_pool", doc as never));
    const numbers = documentsOf("number").map(({ doc }) => toDocument("number", doc as never));
    for (const { id, numbers_count } of pools) {
      expect(numbers_count).toBe(numbers.filter(({ number_pool_id }) => number_pool_id === id).length);
      expect(numbers_count).toBeGreaterThan(0);
    }
  });

  it("attaches every outgoing webhook to a campaign", () => {
    const attached = new Set(
      documentsOf("campaign").flatMap(({ doc }) => ("outgoing_webhooks" in doc ? doc.outgoing_webhooks : [])),
    );
    for (const { doc } of documentsOf("outgoing_webhook")) expect(attached.has(doc.id), JSON.stringify(doc)).toBe(true);
  });
});
