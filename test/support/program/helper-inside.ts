// The helper process that refreshes tokens, run inside the test: it sees the test's own files, clock and network, and can
// be killed at any call that it makes.

import { PassThrough } from 'node:stream';
import { internalCommands } from '#internal-commands.ts';
import { runRefreshProcess } from '#login/refresh-process.ts';
import type { HeldLock, World } from '#world/world.ts';

export interface HelperInside {
  readonly world: World;
  /** What is under way in the helper goes no further, and its lock is free. */
  kill(): Promise<void>;
}

/** `whole`: the world of the command; its helper gets the same, but for its `own` parts. */
export function helperInside(whole: World, own: Partial<World> = {}): HelperInside {
  let inherited: HeldLock | undefined;
  let killed = () => {};
  const lock: World['lock'] = {
    ...whole.lock,
    async acquire(path, options) {
      const held = await whole.lock.acquire(path, options);
      if (!held) return undefined;
      return {
        ...held,
        // One process has both ends here: the lock stays with its only descriptor.
        async handOverTo() {
          inherited = held;
        },
      };
    },
    async adopt(descriptor, path) {
      return inherited ?? whole.lock.adopt(descriptor, path);
    },
  };
  const world: World = {
    ...whole,
    lock,
    process: {
      ...whole.process,
      start(command, options) {
        if (!command.includes(internalCommands.refreshProcess)) return whole.process.start(command, options);
        const handedOver = new Promise<void>((resolve) => setImmediate(resolve));
        const ended = handedOver.then(async () => {
          const death = new Promise<number>((resolve) => {
            killed = () => resolve(137);
          });
          const output = {
            isTerminal: false,
            columns: undefined,
            write: async (text: string) => options.onOutput?.(text),
            raw: new PassThrough(),
          };
          const input = {
            ...whole.streams.input,
            readAll: async () => Buffer.from(options.input ?? ''),
          };
          const life = runRefreshProcess({
            ...world,
            ...own,
            streams: { ...whole.streams, input, output },
          });
          return Promise.race([life.then(() => 0).catch(() => 1), death]);
        });
        return {
          ended,
          exited: ended,
          pid: () => process.pid,
          detach() {},
          release() {},
          kill: () => killed(),
        };
      },
    },
  };
  return {
    world,
    async kill() {
      killed();
      await inherited?.release();
    },
  };
}
