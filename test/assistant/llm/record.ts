import { writeFileSync } from "node:fs";
import { runCommand } from "../../../api/commands/command.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { createAssistant } from "../../../assistant/assistant.ts";
import { openOpenAiModel } from "../../../assistant/llm/model-openai.ts";
import { createLlmPlanner } from "../../../assistant/llm/planner-llm.ts";
import { orgOne } from "../../make.ts";
import { now, openExampleWarehouse, zone } from "../example-data.ts";
import { createRecorder } from "./recorder.ts";

const usage = `OPENAI_API_KEY=… node --import tsx test/assistant/llm/record.ts NAME QUESTION

Asks a language model the question over the example data of the tests, as the assistant does, and writes what it answered
to test/assistant/llm/recordings/NAME.json, which tests replay. OPENAI_BASE_URL and OPENAI_MODEL name another server and model.`;

await runCommand({
  usage,
  takesArguments: true,
  async run({ positionals: [name, ...words] }) {
    const question = words.join(" ");
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL } = readSettings(process.env);
    if (name === undefined || !/^[a-z0-9-]+$/.test(name) || question === "") throw new Error(usage);
    if (apiKey === undefined) throw new Error("Set OPENAI_API_KEY: without it there is no model to ask.");
    const warehouse = await openExampleWarehouse();
    try {
      const recorder = createRecorder(openOpenAiModel({ apiKey, baseUrl, model: OPENAI_MODEL }));
      const clock = { now: () => now, sleep: () => Promise.resolve() };
      const planner = createLlmPlanner({
        model: recorder.model,
        guarded: warehouse.guarded,
        clock,
        engine: "DuckDB",
        sendValues: true,
        deadlineMs: 60_000,
        onTrouble: (error) => console.error(error.message),
      });
      const asked = { orgId: orgOne, timeZone: zone, question };
      const { answer, planner: by } = await createAssistant({ warehouse, clock, planner }).ask(asked);
      const file = new URL(`recordings/${name}.json`, import.meta.url);
      writeFileSync(file, `${JSON.stringify(recorder.toRecording(OPENAI_MODEL, question), null, 2)}\n`);
      console.log(`${answer} (understood by: ${by})`);
    } finally {
      await warehouse.close();
    }
  },
});
