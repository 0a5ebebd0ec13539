import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentCatalog } from "../../assistant/catalog/document.ts";
import { runCommand } from "./command.ts";

const usage = `npm run catalog

Writes assistant/catalog/catalog.md, the page of what can be asked, anew from the catalog that the
assistant goes by, and prints where it is.`;

const path = fileURLToPath(new URL("../../assistant/catalog/catalog.md", import.meta.url));

await runCommand({
  options: {},
  help: () => usage,
  async run() {
    writeFileSync(path, documentCatalog());
    console.log(path);
  },
});
