// npm run torture: a small disk is really filled around a refresh.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeStage, type Stage, stageForAll } from '../renewal/stage.ts';

const { service } = await stageForAll();

function tell(what: string, counts: unknown): void {
  process.stderr.write(`${what}: ${JSON.stringify(counts)}\n`);
}

/** A disk of its own; nothing, and it is told why, where this user may not mount one. */
async function smallDisk(context: TestContext, bytes: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-small-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  context.after(async () => {
    if (mounted.status === 0) spawnSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  if (mounted.status === 0) return folder;
  const why = mounted.error?.message ?? mounted.stderr.trim();
  tell('NOT DONE: fills of a small disk, since it cannot be mounted', why);
  context.skip(`tmpfs cannot be mounted: ${why}`);
  return undefined;
}

/** Leaves so many bytes free. */
async function fill(folder: string, bytes: number): Promise<() => Promise<void>> {
  const filler = join(folder, 'filler');
  const { bavail, bsize } = await statfs(folder);
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
  return () => rm(filler);
}

async function stageOn(folder: string): Promise<Stage> {
  const usual = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return await makeStage(service);
  } finally {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  }
}

test('20 real fills of a small disk, with less and less room, around a refresh', async (context) => {
  const folder = await smallDisk(context, 512 * 1024);
  if (folder === undefined) return;
  const onIt = await stageOn(folder);
  const counts = { fills: 0, refreshed: 0, failedAndKept: 0 };
  for (let room = 19; room >= 0; room--) {
    await onIt.signInAnew();
    await onIt.expire();
    const { rejected } = service.counts;
    const makeRoom = await fill(folder, room * 4096);
    const { status, errors } = await onIt.run('whoami');
    if (status === 0) counts.refreshed++;
    else {
      assert.match(errors, /ENOSPC|no space|no room/, errors);
      assert.doesNotMatch(errors, /bug in wm|was lost/);
      counts.failedAndKept++;
    }
    await makeRoom();
    const next = await onIt.run('whoami');
    assert.equal(next.status, 0, `${room} blocks: ${errors}\n${next.errors}`);
    assert.equal(service.counts.rejected, rejected, `${room} blocks: a token was used twice`);
    counts.fills++;
  }
  assert.ok(counts.refreshed > 0 && counts.failedAndKept > 0, JSON.stringify(counts));
  tell('fills of a small disk', counts);
});
