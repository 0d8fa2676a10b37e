// Waits for work, but no longer than a time limit, or until a signal aborts.

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

/** Resolves or rejects as `work` does, or resolves to `aborted` once the signal aborts. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve('aborted');
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
