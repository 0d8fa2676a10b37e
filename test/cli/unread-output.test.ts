// What is printed and not read: a signal ends every command all the same, and messages that wait are limited in number.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { limitUnread, unreadMs } from '#terminal/unread-output.ts';
import { createTestClock } from '#test/support/clock.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import type { Output, World } from '#world/world.ts';

/** Takes nothing until it is given up. */
function unreadOutput(onWrite: (text: string) => void): Output {
  const giveUps = new Set<() => void>();
  let isAbandoned = false;
  return {
    isTerminal: false,
    columns: undefined,
    write: (text: string) =>
      new Promise((resolve) => {
        if (isAbandoned) return resolve();
        giveUps.add(resolve);
        onWrite(text);
      }),
    abandon() {
      isAbandoned = true;
      for (const giveUp of giveUps) giveUp();
    },
    get isAbandoned() {
      return isAbandoned;
    },
    get isReaderGone() {
      return isAbandoned;
    },
    raw: new PassThrough(),
  };
}

const rows = Array.from({ length: 40 }, () => `{"id":"${sample.task}","title":"x"}\n`).join('');
type Stuck = 'output' | 'errors';
const commands: Readonly<
  Record<string, { argv: readonly string[]; status: number; stuck: readonly Stuck[] }>
> = {
  'a list': { argv: ['task', 'list', '--json'], status: 143, stuck: ['output'] },
  'a filtered list': { argv: ['task', 'list', '--jq', '.'], status: 143, stuck: ['output'] },
  'the emulator': { argv: ['emulator', 'start'], status: 0, stuck: ['output'] },
  'a watch': { argv: ['webhook', 'watch', '--json'], status: 143, stuck: ['errors'] },
  'a bulk run': {
    argv: ['task', 'update', '--from', 'ROWS', '--yes', '--json'],
    status: 143,
    stuck: ['output', 'errors'],
  },
};

for (const [name, { argv, status, stuck: outputs }] of Object.entries(commands)) {
  for (const stuck of outputs)
    test(`SIGTERM ends ${name} even if its ${stuck} is not read`, async (context) => {
      const service = await emulated(context);
      const path = join(service.folder, 'rows.ndjson');
      await writeFile(path, rows);
      const signals = handSignals();
      let isFirst = true;
      const clock = createTestClock((milliseconds) => {
        if (milliseconds === unreadMs) setImmediate(() => clock.advance(unreadMs));
      });
      const unread = unreadOutput(() => {
        if (isFirst) setImmediate(() => signals.interrupt('SIGTERM'));
        isFirst = false;
      });
      const streams = { ...collectStreams().streams, [stuck]: unread };
      const world: Partial<World> = { clock, streams, process: signals.process };
      await service.wm(
        argv.map((word) => (word === 'ROWS' ? path : word)),
        { exit: status, world },
      );
    });
}

for (const [more, counted] of [
  [1, '1 more message was'],
  [500, '500 more messages were'],
] as const)
  test(`limits the number of queued unread messages, and ${counted} not printed`, async () => {
    const real = createWorld();
    const written: string[] = [];
    let take = () => {};
    const errors: Output = {
      ...unreadOutput(() => {}),
      write: (text: string) =>
        new Promise((resolve) => {
          written.push(text);
          const before = take;
          take = () => {
            before();
            resolve();
          };
        }),
    };
    const { streams } = limitUnread({ ...real, streams: { ...real.streams, errors } });
    const writing = Array.from({ length: 2_000 + more }, (_, at) => streams.errors.write(`${at}\n`));
    assert.equal(written.length, 2_000);
    take();
    await new Promise((turn) => setImmediate(turn));
    take();
    await Promise.all(writing);
    assert.equal(written.at(-1), `(${counted} not printed: the output was blocked)\n`);
  });
