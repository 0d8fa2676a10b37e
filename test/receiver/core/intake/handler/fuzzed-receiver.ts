// The receiver of the fuzz test, here or in a process of its own, where its memory is measured and a crash is its end. It has the
// real journal, forwards nothing, and counts what happens.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { createReceiverHandler } from '#receiver/core/intake/handler.ts';
import { openJournal } from '#receiver/core/journal/open-journal.ts';
import { createClock } from '#world/clock.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { randomBytes } from '#world/random.ts';
import { createServer } from '#world/server.ts';
import { fuzzMaxBody, fuzzSecret } from './hostile-request.ts';

export interface FuzzedPorts {
  /** With the limits that a receiver has. */
  readonly port: number;
  /** With time limits of a moment, for requests that never end. */
  readonly hastyPort: number;
}

export interface Measured {
  /** Bytes that are in use after a garbage collection: the heap, and the buffers beside it. */
  readonly used: number;
  /** How often each activity happened. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface FuzzedReceiver extends FuzzedPorts {
  measure(): Promise<Measured>;
  close(): Promise<void>;
  /** How its process ended, if it did. */
  exit(): string | undefined;
}

/** In this process. */
export async function openFuzzed(folder: string): Promise<FuzzedReceiver> {
  const clock = createClock();
  const files = createFiles({ WM_CONFIG_DIR: '/nowhere' }, process.platform, '/', () => '/');
  const world = { files, clock, lock: createLock(process.platform, clock), randomBytes };
  const { journal } = await openJournal(world, folder);
  const counts: Record<string, number> = {};
  const receiver = createReceiverHandler({
    journal,
    clock,
    secrets: ['the one before', fuzzSecret],
    maxBodyBytes: fuzzMaxBody,
    onActivity(activity) {
      const name = activity.kind === 'rejected' ? activity.reason : activity.kind;
      counts[name] = (counts[name] ?? 0) + 1;
      if (activity.kind !== 'stored') return;
      const { sequence } = activity.delivery;
      // As if it had been forwarded.
      const done = { outcome: '200', verdict: 'forwarded', finishes: true } as const;
      const time = clock.now();
      journal.record({
        kind: 'attempt',
        sequence,
        time,
        target: 'none',
        attempt: 1,
        milliseconds: 1,
        ...done,
      });
    },
  });
  const listen = async (limits: object) => {
    const at = { host: '127.0.0.1', port: 0, ...receiver.listenOptions };
    const limited = { ...at, limits: { ...at.limits, ...limits } };
    const listening = await createServer().listen(limited, receiver.handle);
    if ('fault' in listening) throw new Error(listening.detail);
    return listening;
  };
  const servers = [await listen({}), await listen({ headersMs: 300, requestMs: 300 })];
  return {
    port: servers[0]?.port ?? 0,
    hastyPort: servers[1]?.port ?? 0,
    exit: () => undefined,
    async measure() {
      // What was used by requests is free after two turns at the latest.
      await clock.nextTurn();
      await clock.nextTurn();
      globalThis.gc?.();
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      return { used: heapUsed + external, counts };
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await journal.close();
    },
  };
}

/** Serves until the parent says `close`; answers every other message with what is {@link Measured}. */
export async function serveFuzzed(folder: string): Promise<void> {
  const { port, hastyPort, measure, close } = await openFuzzed(folder);
  process.on('message', async (message) => {
    if (message !== 'close') return void process.send?.(await measure());
    await close();
    process.disconnect();
  });
  process.send?.({ port, hastyPort });
}

/** In a process of `program`, which calls {@link serveFuzzed}. */
export async function forkFuzzed(t: TestContext, program: string, folder: string): Promise<FuzzedReceiver> {
  const child = fork(program, ['serve', folder], { execArgv: ['--expose-gc'] });
  t.after(() => child.kill('SIGKILL'));
  let exit: string | undefined;
  child.on('exit', (status, signal) => {
    exit = `${status ?? signal}`;
  });
  const message = <T>() => new Promise<T>((resolve) => child.once('message', (got: T) => resolve(got)));
  const ports = await message<FuzzedPorts>();
  return {
    ...ports,
    exit: () => exit,
    async measure() {
      const measured = message<Measured>();
      child.send('measure');
      return await measured;
    },
    async close() {
      child.send('close');
      await once(child, 'exit');
      assert.equal(exit, '0');
    },
  };
}
