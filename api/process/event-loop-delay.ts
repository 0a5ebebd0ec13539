const sampleEveryMs = 20;
const samplesOfWindow = 10;

/** Measures for how long the event loop lets due work wait: the mean of ten samples, taken in a fifth of a second. */
export function watchEventLoopDelay(onDelay: (delayMs: number) => void) {
  let due = performance.now() + sampleEveryMs;
  let samples: number[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    samples.push(Math.max(0, now - due));
    due = now + sampleEveryMs;
    if (samples.length < samplesOfWindow) return;
    onDelay(samples.reduce((sum, sample) => sum + sample, 0) / samples.length);
    samples = [];
  }, sampleEveryMs).unref();
  return { close: async (): Promise<void> => clearInterval(timer) };
}
