// `kill -9` at random moments of a bulk, and --resume until it is done: every row is applied and listed, and none is sent
// again whose response was in the journal. A real process each time; TEST_KILLS=100 for more of them than a deep run takes.

import { test } from 'node:test';
import {
  fillDisk,
  interruptAndResume,
  interruptReading,
  interruptTwice,
  killAndResume,
  signals,
} from './kill.ts';

const kills = Number(process.env['TEST_KILLS'] ?? 12);

test(`killed ${kills} times, resumed as many times`, { timeout: 600_000 }, (context) =>
  killAndResume(context, kills, 2000),
);

test(
  'Ctrl-C starts no more rows, waits for those in flight, and --resume sends the rest',
  {
    timeout: 60_000,
  },
  interruptAndResume,
);

for (const [form, signal] of [
  ['JSON', signals[0]],
  ['tab-separated', signals[1]],
] as const)
  test(
    `after a second ${signal[0]}, every sent row is reported as unknown; ${form}`,
    {
      timeout: 60_000,
    },
    (context) => interruptTwice(context, form, signal),
  );

for (const signal of signals.slice(1))
  test(
    `${signal[0]} while reading standard input leaves no files behind`,
    {
      timeout: 60_000,
    },
    (context) => interruptReading(context, signal),
  );

test(
  'a full disk ends the run with the counts, and --resume sends the rest',
  {
    skip: process.platform === 'win32' && 'no ulimit there',
    timeout: 60_000,
  },
  (context) => fillDisk(context, 2000),
);
