// The flags that select webhooks. The pattern of --url: a part of the URL, or with * the whole of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesUrl } from '#webhooks/matching/filter.ts';
import { withOldAndNew } from './old-and-new.ts';

const url = 'https://old.example/a/b?c=d';

for (const [pattern, matches] of [
  ['old.example', true],
  ['OLD.EXAMPLE/A', true],
  ['new.example', false],
  ['https://old.example/*', true],
  ['*', true],
  ['**', true],
  ['*c=d', true],
  ['*/b', false],
  ['old.example/*', false],
  ['https://*/b*', true],
  ['*/a*/b*', true],
  ['*/b*/a*', false],
  // A question mark, a dot and a plus are themselves.
  ['*b?c*', true],
  ['https://old?example/*', false],
  ['https://old.example/a/b?c=d*?c=d', false],
  ['https://old.example/a/b?c=*d', true],
  ['https://*old*old*', false],
  ['https*://old.example/a/b*?c=d*=d', false],
] as const) {
  test(`${pattern} ${matches ? 'matches' : 'does not match'} ${url}`, () => {
    assert.equal(matchesUrl(pattern, url), matches);
  });
}

test('--all with flags changes only the webhooks that match', async (context) => {
  const { wm, suspended, ids } = await withOldAndNew(context);
  for (const [verb, flags, expected] of [
    ['suspend', ['--folder', 'website'], ['tasks']],
    ['suspend', ['--url', 'old.example'], ['archive', 'invoices', 'tasks']],
    ['resume', ['--folder', 'website', '--event', 'TaskDeleted'], ['archive', 'invoices']],
    ['delete', ['--folder', 'website', '--event', 'TaskCreated'], ['archive', 'invoices']],
  ] as const) {
    const ran = await wm(['webhook', verb, '--all', ...flags, '--yes']);
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(await suspended(), expected, flags.join(' '));
  }
  const left: readonly { id: string }[] = JSON.parse((await wm(['webhook', 'list', '--json'])).output);
  assert.deepEqual(left.map(({ id }) => id).toSorted(), [ids.archive, ids.billing, ids.invoices].toSorted());
});
