/** Of a member that is killed or loses its brokers: others see soon that it is gone. */
export const quickSession = { timeoutMs: 6_000, heartbeatMs: 200, rebalanceMs: 10_000 };
/** Of one that stays until it says good-bye: it keeps what it has, however long a busy machine lets it wait. */
export const patientSession = { ...quickSession, timeoutMs: 30_000 };
