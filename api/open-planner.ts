import { offlinePlanner, type Planner } from "../assistant/planning.ts";
import type { Clock } from "../ingest/clock.ts";
import type { GuardedSelect } from "../warehouse/guarded/guarded.ts";
import type { Settings } from "./settings/settings.ts";

export interface PlannerDeps {
  readonly guarded: GuardedSelect;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}

/**
 * Who understands the assistant's questions: the language model that the settings name, or rules alone. Then the client
 * of the model's, which is a third of all modules, is not loaded.
 */
export async function openPlanner(settings: Settings, deps: PlannerDeps): Promise<Planner> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL, ASSISTANT_SEND_VALUES } = settings;
  if (apiKey === undefined) return offlinePlanner;
  const { openOpenAiModel } = await import("../assistant/llm/model-openai.ts");
  const { createLlmPlanner } = await import("../assistant/llm/planner-llm.ts");
  const model = openOpenAiModel({ apiKey, baseUrl, model: OPENAI_MODEL });
  return createLlmPlanner({ ...deps, model, engine: deps.guarded.engine, sendValues: ASSISTANT_SEND_VALUES });
}
