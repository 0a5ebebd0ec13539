/** How whoever asks follows the answer: cancels it, and hears how far it is. */
export type Watching = { readonly signal: AbortSignal; readonly onProgress: (step: string) => void };
