/** What the work comes to, and the milliseconds of processor time that it takes: a machine with more to do adds none. */
export async function withCpuTime<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly cpuMs: number; readonly result: T }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, result };
}
