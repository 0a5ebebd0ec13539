/** Of a single broker on this machine: it need not wait long to see that a member is gone. */
export const quickSession = { timeoutMs: 6_000, heartbeatMs: 200, rebalanceMs: 10_000 };
