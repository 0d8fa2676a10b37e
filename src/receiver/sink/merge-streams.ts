// Merges several streams of messages into one, in the order in which the messages arrive.

export async function* mergeStreams<T>(
  ...sources: readonly AsyncIterable<T>[]
): AsyncGenerator<T, void, undefined> {
  const step = (iterator: AsyncIterator<T>) => {
    const stepped = iterator.next().then((result) => ({ iterator, result }));
    // The reader may have stopped by then.
    stepped.catch(() => {});
    return stepped;
  };
  const pending = new Map(
    sources.map((source) => {
      const iterator = source[Symbol.asyncIterator]();
      return [iterator, step(iterator)] as const;
    }),
  );
  while (pending.size > 0) {
    const { iterator, result } = await Promise.race(pending.values());
    if (result.done === true) pending.delete(iterator);
    else {
      pending.set(iterator, step(iterator));
      yield result.value;
    }
  }
}
