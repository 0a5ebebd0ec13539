import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalog } from "../../../assistant/catalog/catalog.ts";
import { documentCatalog } from "../../../assistant/catalog/document.ts";

const page = readFileSync(new URL("../../../assistant/catalog/catalog.md", import.meta.url), "utf8");

describe("the page about the catalog", () => {
  it("is what `npm run catalog` writes", () => {
    expect(page).toBe(documentCatalog());
  });
  it("tells of every measure, dimension, fact and quantity", () => {
    for (const { name, measures, dimensions, flags, quantities } of catalog) {
      expect(page).toContain(`Table \`${name}\``);
      for (const each of [...measures, ...dimensions, ...flags, ...quantities]) {
        expect(page).toContain(`(\`${each.name}\`)`);
        expect(page).toContain(each.definition.replaceAll("|", "\\|"));
      }
    }
  });
});
