// The pattern of --url: a part of the URL, or with * the whole of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesUrl } from '#webhooks/matching/filter.ts';

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
