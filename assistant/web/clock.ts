let offsetMs = 0;

/** Has the page go by the platform's clock where that is not the browser's: fixtures lead up to a past time. */
export const setClockOffset = (ms: number): void => {
  offsetMs = ms;
};

/** The present time of the data, ms. */
export const nowMs = (): number => Date.now() + offsetMs;
