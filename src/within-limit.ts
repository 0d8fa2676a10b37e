// Waits for work, but no longer than a time limit.

/**
 * Resolves or rejects as `work` does, or once the time is over as `onLate` does. The work then continues, and what becomes of it is
 * ignored.
 */
export async function withinLimit<T, L>(
  clock: { limit(milliseconds: number, onEnd: () => void): { cancel(): void } },
  milliseconds: number,
  work: Promise<T>,
  onLate: () => L,
): Promise<T | L> {
  let expire = () => {};
  const expired = new Promise<void>((resolve) => {
    expire = resolve;
  });
  const limit = clock.limit(milliseconds, expire);
  try {
    return await Promise.race([work, expired.then(onLate)]);
  } finally {
    limit.cancel();
  }
}
