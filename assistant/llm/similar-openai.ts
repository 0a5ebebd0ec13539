import { cosineSimilarity } from "@langchain/core/utils/math";
import { OpenAIEmbeddings } from "@langchain/openai";
import { LRUCache } from "lru-cache";
import { type ModelDeps, ModelError } from "./model.ts";
import { createRests } from "./rest.ts";
import { toModelError } from "./server-errors.ts";
import { mostSimilar, type Similar } from "./similar.ts";

export interface EmbeddingOptions {
  readonly apiKey: string;
  /** The address of an OpenAI-compatible server; OpenAI's own without it. */
  readonly baseUrl?: string | undefined;
  /** The model of embeddings. */
  readonly model: string;
}

/** Texts are compared by spelling where the server takes longer; what it sends later is kept for the next question. */
const mostMs = 2_000;
/** Embeddings that are kept: with 1536 numbers each, 60 MB at most. */
const mostKept = 5_000;
/** The cosine below which texts are about something else. */
const least = 0.35;

/**
 * Similarity by the embeddings of an OpenAI-compatible server. Each text is embedded once while it is kept; where the
 * server fails, texts are compared by spelling, and for a while those of the next questions: of one organization, if its
 * texts were refused or took too long, or of all.
 */
export function openSimilarByEmbeddings(
  { apiKey, baseUrl, model }: EmbeddingOptions,
  { clock, onTrouble }: Pick<ModelDeps, "clock" | "onTrouble">,
): Similar {
  const embeddings = new OpenAIEmbeddings({
    model,
    apiKey,
    maxRetries: 0,
    encodingFormat: "float",
    timeout: 10 * mostMs,
    ...(baseUrl === undefined ? {} : { configuration: { baseURL: baseUrl } }),
  });
  const rests = createRests(clock);
  const kept = new LRUCache<string, readonly number[]>({ max: mostKept });

  /** Returns a vector for each text; the server is asked only for texts that are not cached. */
  async function embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
    const missing = [...new Set(texts.filter((text) => !kept.has(text)))];
    const vectors = missing.length === 0 ? [] : await embeddings.embedDocuments(missing);
    const found = new Map(missing.map((text, index) => [text, vectors[index] ?? []]));
    for (const [text, vector] of found) kept.set(text, vector);
    return texts.map((text) => found.get(text) ?? kept.get(text) ?? []);
  }

  return async (question, all, textOf, { orgId, count, signal = new AbortController().signal }) => {
    if (all.length === 0) return [];
    if (signal.aborted || rests.reasonFor(orgId) !== undefined) return mostSimilar(question, all, textOf, count);
    try {
      const [own = [], ...others] = await inTime(embed([question, ...all.map(textOf)]), signal);
      const [scores = []] = cosineSimilarity(
        [[...own]],
        others.map((each) => [...each]),
      );
      return all
        .map((each, index) => ({ each, score: scores[index] ?? 0 }))
        .filter(({ score }) => score >= least)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, count)
        .map(({ each }) => each);
    } catch (error) {
      // An aborted request is no failure of the server.
      if (!signal.aborted) {
        const { code, retryAfter } = error instanceof ModelError ? error : toModelError(error, signal);
        const words = `The server gave no embeddings by ${model}: texts are compared by spelling.`;
        const trouble = new ModelError(code, words, retryAfter);
        rests.failed(trouble, orgId);
        onTrouble(trouble);
      }
      return mostSimilar(question, all, textOf, count);
    }
  };
}

async function inTime<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(mostMs)]);
    const onAbort = () => reject(new ModelError("stopped", "late"));
    stop.addEventListener("abort", onAbort, { signal: done.signal });
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    done.abort();
  }
}
