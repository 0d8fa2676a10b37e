// The context of a command for parts of `webhook listen` that run by themselves, with a clock that the test moves, and what it has
// printed so far.

import { createContext } from '#cli/context.ts';
import { noSettings } from '#cli/settings/load-settings.ts';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';

export function listeningContext(
  world: Partial<World> = {},
  clock: TestClock = createTestClock(),
  common: { readonly verbose?: true; readonly yes?: true } = {},
) {
  const { streams, texts } = collectStreams();
  const watchers = new Set<() => void>();
  const errors = {
    ...streams.errors,
    async write(text: string) {
      await streams.errors.write(text);
      for (const watch of watchers) watch();
    },
  };
  const context = createContext(
    { ...createWorld(), clock, ...world, streams: { ...streams, errors } },
    common,
    () => Promise.reject(new Error('nobody asks for help')),
    { words: 'webhook listen', flags: {}, rawFlags: new Map(), changesOnlyBySession: false },
    noSettings,
  );
  return {
    context,
    clock,
    texts,
    /** Resolves once standard error has matched so many times. */
    said: (pattern: RegExp, times = 1) =>
      new Promise<void>((resolve) => {
        const watch = () => {
          if ((texts.errors.match(new RegExp(pattern, 'gm'))?.length ?? 0) < times) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}
