/** Headers whose values are credentials: the history shows that they were sent, not what they are. */
const secretHeader = /auth|cookie|credential|(api|access|auth|subscription)[-_]?key|token|secret|signature|passw/i;

/** Replaces the values of headers with credentials by `***`. */
export const maskSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? "***" : value]));
