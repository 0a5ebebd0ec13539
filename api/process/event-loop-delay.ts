const sampleEveryMs = 20;
const samplesOfWindow = 5;

/**
 * Measures for how long the event loop lets due work wait: five times in a tenth of a second, of which the least counts. So
 * a pause of the garbage collector is none, and a queue that stays is one.
 */
export function watchEventLoopDelay(onDelay: (delayMs: number) => void) {
  let due = performance.now() + sampleEveryMs;
  let samples: number[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    samples.push(Math.max(0, now - due));
    due = now + sampleEveryMs;
    if (samples.length < samplesOfWindow) return;
    onDelay(Math.min(...samples));
    samples = [];
  }, sampleEveryMs).unref();
  return { close: async (): Promise<void> => clearInterval(timer) };
}
