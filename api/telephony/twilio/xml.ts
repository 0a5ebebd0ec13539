import { XMLBuilder } from "fast-xml-parser";

/** An element: its text, or its attributes (`@name`), its text beside them (`#text`) and its elements, in order. */
export type Element = string | { readonly [name: string]: Element | readonly Element[] };

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  processEntities: true,
  format: false,
});

/** The document that tells a carrier what to do. */
export const toDocument = (response: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ Response: writable(response) })}`;

/** Without the characters that no XML document can hold, escaped or not. */
function writable(element: Element | readonly Element[]): unknown {
  if (typeof element === "string") return element.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, " ");
  if (Array.isArray(element)) return element.map(writable);
  return Object.fromEntries(Object.entries(element).map(([name, value]) => [name, writable(value)]));
}
