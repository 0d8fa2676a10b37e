// The subjects of commits are checked where git is: all after a base, and in a history that lacks the base, as in a
// shallow checkout, all that there are, said so. Nothing to check is an error.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkCommits } from '../../scripts/commit-subjects.mjs';

async function withFolder(use: (folder: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-commits-'));
  try {
    use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

/** Makes empty commits with the subjects; gives the name of each. */
function commit(folder: string, ...subjects: string[]): string[] {
  return subjects.map((subject) => {
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', subject);
    return git(folder, 'rev-parse', 'HEAD');
  });
}

test('the commits after the base are checked, and no others', async () => {
  await withFolder((folder) => {
    git(folder, 'init', '--quiet');
    const [base = ''] = commit(folder, 'the old ones were like this.', 'Add a file', 'added another one.');
    const { isWell, lines } = checkCommits(folder, base);
    assert.equal(isWell, false);
    assert.equal(lines.length, 2);
    assert.match(
      lines[0] ?? '',
      /added another one\.\n {2}it ends with a full stop\n {2}"added" is not known.*\n {2}reword it: git commit --amend, or git rebase -i [0-9a-f]+\^/,
    );
    assert.match(lines[1] ?? '', /^Checked the subjects of 2 commits after [0-9a-f]{7}: 1 wrong\.$/);
    commit(folder, 'Move a file');
    assert.equal(checkCommits(folder, git(folder, 'rev-parse', 'HEAD~1')).isWell, true);
  });
});

test('without the base, checks all commits of a shallow checkout, and says so', async () => {
  await withFolder((folder) => {
    const [whole, shallow] = [join(folder, 'whole'), join(folder, 'shallow')];
    git(folder, 'init', '--quiet', whole);
    const [base = ''] = commit(whole, 'Begin', 'adds a file', 'Move a file');
    for (const [depth, wrong] of [
      [1, 0],
      [2, 1],
    ] as const) {
      git(folder, 'clone', '--quiet', '--depth', String(depth), `file://${whole}`, `${shallow}-${depth}`);
      const { isWell, lines } = checkCommits(`${shallow}-${depth}`, base);
      assert.equal(isWell, wrong === 0);
      const count = depth === 1 ? '1 commit' : '2 commits';
      assert.match(
        lines.at(-1) ?? '',
        new RegExp(
          `^Commit ${base.slice(0, 7)} is not in this history .*: checked the subjects of the ${count} that .*: ${wrong} wrong`,
        ),
      );
    }
  });
});

test('no commits at all are an error', async () => {
  await withFolder((folder) => {
    assert.equal(checkCommits(folder, 'HEAD').isWell, false);
    git(folder, 'init', '--quiet');
    assert.match(checkCommits(folder, 'HEAD').lines.join(), /There are no commits to check here/);
  });
});
