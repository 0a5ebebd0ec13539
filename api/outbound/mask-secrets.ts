/** Names of headers and fields whose values are credentials. */
export const secretName = /auth|cookie|credential|(api|access|auth|subscription)[-_]?key|token|secret|signature|passw/i;

/** Replaces the values of headers with credentials by `***`: the history shows that they were sent, not what they are. */
export const maskSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? "***" : value]));
