// The note that a refresh is in flight: which notes concern these tokens, and which of them another process is waited for.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findRefreshMarker, waitForOtherRefresh } from '#login/refresh-marker.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createFiles } from '#world/files.ts';

const folder = await ownFolder({ after });
await mkdir(join(folder, 'renewals'), { mode: 0o700 });
const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform);

const tokens: StoredTokens = { generation: 3, accessToken: 'a', refreshToken: 'canary-r', host: 'h.example' };
const refreshTokenSha256 = createHash('sha256').update('canary-r').digest('hex');
const own = { generation: 3, refreshTokenSha256 };
/** As long as a refresh can last, a fifth of a second at a time. */
const maxPolls = 285;

const rows: readonly (readonly [name: string, marker: unknown, isInFlight: boolean, waits: number])[] = [
  ['no marker', undefined, false, 0],
  ['of an earlier wm, without a lock', own, true, 0],
  ['of our own lock', { ...own, lock: 'mine', at: noon }, true, 0],
  ['of another lock, just now', { ...own, lock: 'other', at: noon }, true, maxPolls],
  ['of another lock, half a minute ago', { ...own, lock: 'other', at: noon - 30_000 }, true, 135],
  ['of another lock, too long ago', { ...own, lock: 'other', at: noon - 57_000 }, true, 0],
  [
    'of another lock, before the clock was set back',
    { ...own, lock: 'other', at: noon + 3_600_000 },
    true,
    maxPolls,
  ],
  ['of another lock, at no time', { ...own, lock: 'other' }, true, maxPolls],
  ['at a time that is none', { ...own, lock: 'other', at: 'noon' }, true, maxPolls],
  ['of a lock that is none', { ...own, lock: 5, at: noon }, true, 0],
  ['with more than we know', { ...own, lock: 'other', at: noon, more: 1 }, true, maxPolls],
  ['of another generation', { ...own, generation: 4, lock: 'other', at: noon }, false, 0],
  ['of another refresh token', { ...own, refreshTokenSha256: 'ff', lock: 'other', at: noon }, false, 0],
  ['of no generation', { refreshTokenSha256, lock: 'other', at: noon }, false, 0],
  ['of no refresh token', { generation: 3, lock: 'other', at: noon }, false, 0],
  ['null', null, false, 0],
  ['a list', [own], false, 0],
  ['cut off', '{"generation":3,"refreshTokenSha', false, 0],
];

for (const [name, marker, isInFlight, waits] of rows) {
  test(`a marker ${name}: ${isInFlight ? '' : 'not '}in flight, ${waits} waits`, async () => {
    const path = join(folder, 'renewals', 'work.json');
    await rm(path, { force: true });
    if (marker !== undefined)
      await writeFile(path, typeof marker === 'string' ? marker : JSON.stringify(marker));
    assert.equal((await findRefreshMarker({ files }, 'work', tokens)) !== undefined, isInFlight);
    const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
    const notices: string[] = [];
    await waitForOtherRefresh(
      { files, clock },
      'work',
      'mine',
      async () => tokens,
      (line) => notices.push(`after ${clock.waits.length} waits: ${line}`),
    );
    assert.equal(clock.waits.length, waits);
    const notice = `after 15 waits: Waiting for another refresh of the sign-in work, recorded in ${path} (up to 57 s).`;
    assert.deepEqual(notices, waits > 15 ? [notice] : []);
    assert.ok(clock.waits.every((milliseconds) => milliseconds === 200));
  });
}

test('waiting for another refresh stops if the tokens are gone or have lost their refresh token', async () => {
  const marker = { ...own, lock: 'other', at: noon };
  await writeFile(join(folder, 'renewals', 'work.json'), JSON.stringify(marker));
  const { refreshToken: _, ...permanent } = tokens;
  for (const now of [undefined, permanent]) {
    const read = [tokens, tokens, now];
    const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
    await waitForOtherRefresh({ files, clock }, 'work', 'mine', async () => read.shift());
    assert.equal(clock.waits.length, 2);
  }
});

test('an unreadable marker is an error, and nothing is sent', async () => {
  const path = join(folder, 'renewals', 'work.json');
  await rm(path);
  await mkdir(path);
  await assert.rejects(findRefreshMarker({ files }, 'work', tokens), {
    message: `Cannot refresh the sign-in: cannot write ${path}`,
    hint: /^The sign-in is unchanged\./,
  });
});
