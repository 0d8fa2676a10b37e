// The page of `wm task update --help dates`, compared with what the command accepts. test/transcript/help-topics.txt shows every topic.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const help = ['task', 'update', '--help'];

async function page(...typed: readonly string[]): Promise<string> {
  const ran = await run(typed);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.errors, '');
  return ran.output;
}

test('every date and duration that the page lists is valid', async () => {
  const text = await page(...help, 'dates');
  const formsIn = (title: string) => {
    const [, after = ''] = text.split(`${title} `);
    const [block = ''] = after.split('\n\n');
    return [...block.matchAll(/^ {2}(\S.*?)(?: {2,}.*)?$/gm)].flatMap(([, term = '']) => term.split(', '));
  };
  // Only where the account's format is known: test/cli/relative-date.test.ts.
  const dates = formsIn('Dates').filter((form) => form !== '14/12/2026');
  const durations = formsIn('Durations');
  assert.ok(dates.length >= 12 && durations.length >= 6, text);
  const world = { clock: clockAt(new Date(2026, 10, 21).getTime()) };
  for (const [start, duration] of [
    ...dates.map((form) => [form, '1d'] as const),
    ...dates.map((form) => [`${form.replace(' 17:00', '')} 9:00`, '1d'] as const),
    ...durations.map((form) => ['2026-12-01', form] as const),
  ]) {
    const argv = ['task', 'update', sample.task, '--start', start, '--duration', duration, '--dry-run'];
    const ran = await run(argv, { world });
    assert.equal(ran.status, 0, `${start}, ${duration}: ${ran.errors}`);
  }
});
