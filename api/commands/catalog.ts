import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentCatalog } from "../../assistant/catalog/document.ts";
import { runCommand } from "./command.ts";

const usage = `npm run catalog

Writes assistant/catalog/catalog.md, the page of measures and dimensions that questions may name,
from the assistant's catalog, and prints its path.`;

const path = fileURLToPath(new URL("../../assistant/catalog/catalog.md", import.meta.url));

await runCommand({
  usage,
  async run() {
    writeFileSync(path, documentCatalog());
    console.log(path);
  },
});
