import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentCatalog } from "../../assistant/catalog/document.ts";

const path = fileURLToPath(new URL("../../assistant/catalog/catalog.md", import.meta.url));
writeFileSync(path, documentCatalog());
console.log(path);
