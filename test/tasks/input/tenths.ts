// Durations with a decimal place, in what `wm task update` sends for them. Some are quick and all are deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt } from '#test/support/program/emulated.ts';
import { wordsOf } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import type { Http } from '#world/world.ts';

const id = 'IEAAAAAQKQAB5BNG';
/** Saturday, 21 November 2026, ten in the morning, local time. */
const now = new Date(2026, 10, 21, 10).getTime();

const offline: Http = {
  send: async () => {
    throw new Error('nothing may be sent in this test');
  },
};

/** What a dry run shows. */
export async function showUpdate(flags: string, task = id) {
  const ran = await run(['task', 'update', task, ...wordsOf(flags), '--dry-run', '--json'], {
    environment: { WM_HOST: 'api.example.com' },
    world: { clock: clockAt(now), http: offline },
  });
  if (ran.status !== 0) return { ...ran, path: '', query: new Map<string, string>() };
  const url = new URL(JSON.parse(ran.output).url);
  return { ...ran, path: url.pathname, query: new Map(url.searchParams) };
}

/** Tenths, each as its digits: what people type, and not what a number would make of it. */
const tenths = Array.from({ length: 401 }, (_, n) => ({ n, text: `${Math.trunc(n / 10)}.${n % 10}` }));

/** Declares the tests, with every tenth that `isChosen` takes. */
export function testTenths(isChosen: (tenths: number) => boolean): void {
  const chosen = tenths.filter(({ n }) => isChosen(n));

  test('every tenth of an hour up to 40 is a whole number of minutes, as a duration and as effort', async () => {
    for (const { n, text } of chosen) {
      const { query, errors } = await showUpdate(
        `--start 2026-12-01 --due 2026-12-02 --duration ${text}h --effort-mode Basic --total-effort '${text} hours'`,
      );
      assert.equal(JSON.parse(query.get('dates') ?? errors).duration, n * 6, text);
      assert.equal(JSON.parse(query.get('effortAllocation') ?? errors).totalEffort, n * 6, text);
    }
  });

  test('every tenth of a day up to 40, combined with hours and minutes', async () => {
    for (const { n, text } of chosen) {
      const { query, errors } = await showUpdate(
        `--start 2026-12-01 --due 2026-12-02 --duration ${text}d0.10h1m --effort-mode Basic --total-effort ${text}d`,
      );
      assert.equal(JSON.parse(query.get('dates') ?? errors).duration, n * 48 + 6 + 1, text);
      assert.equal(JSON.parse(query.get('effortAllocation') ?? errors).totalEffort, n * 48, text);
    }
  });
}
