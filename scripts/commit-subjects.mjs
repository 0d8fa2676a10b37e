// npm run commits, a part of npm run check: checks the commit subjects since the rule began, or after BASE: node
// scripts/commit-subjects.mjs [BASE]. At most 72 characters, imperative mood, no full stop, no phrase that sounds translated. If a
// shallow checkout lacks the base, checks all commits that it has, and says so.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verbs } from './commit-verbs.mjs';
import { phrasesInName } from './translated-phrases.mjs';

/** The last commit before the rule. */
const ruleBegins = '2cb6688034b544b0be5b65010faee6ff8ee9ec67';
const longest = 72;

/** Returns what is wrong with a subject; nothing if it is right. */
export function subjectFaults(subject) {
  const faults = [];
  const length = [...subject].length;
  if (length > longest) faults.push(`it has ${length} characters; at most ${longest} are allowed`);
  if (/[.!?\u2026]$/.test(subject)) faults.push('it ends with a full stop');
  for (const phrase of phrasesInName(subject)) faults.push(`"${phrase}": say it as a colleague would`);
  // A topic may come first: `bulk: name the outcomes`, `Undo, tests: restore weekends`.
  const what = subject.replace(/^[^:]{1,40}: /, '');
  const first = /^[A-Za-z]+(?:-[A-Za-z]+)*/.exec(what)?.[0];
  if (first === undefined || !verbs.has(first.toLowerCase())) {
    faults.push(
      `"${what.split(' ', 1)[0]}" is not known as an imperative; if it is one, add it to scripts/commit-verbs.mjs`,
    );
  }
  return faults;
}

function git(root, ...words) {
  const { status, stdout, stderr, error } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  if (error) throw new Error(`git cannot be run: ${error.message}`);
  return { isWell: status === 0, text: stdout.trim(), errors: stderr.trim() };
}

/** Checks the commits of `root` after `base`. Returns the lines to print, and whether all is well. */
export function checkCommits(root, base) {
  const head = git(root, 'rev-parse', '--verify', 'HEAD^{commit}');
  if (!head.isWell) return { isWell: false, lines: [`There are no commits to check here: ${head.errors}`] };
  const hasBase = git(root, 'merge-base', '--is-ancestor', base, 'HEAD').isWell;
  const listed = git(root, 'log', '--format=%h %s', hasBase ? `${base}..HEAD` : 'HEAD');
  if (!listed.isWell) return { isWell: false, lines: [`git cannot list the commits: ${listed.errors}`] };
  const commits = listed.text === '' ? [] : listed.text.split('\n');
  const wrong = commits.flatMap((line) => {
    const at = line.indexOf(' ');
    const faults = subjectFaults(line.slice(at + 1));
    const repair = `reword it: git commit --amend, or git rebase -i ${line.slice(0, at)}^ if it is not the last`;
    return faults.length === 0 ? [] : [[line, ...faults, repair].join('\n  ')];
  });
  const count = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`;
  const range = hasBase
    ? `Checked the subjects of ${count} after ${base.slice(0, 7)}`
    : `Commit ${base.slice(0, 7)} is not in this history (a shallow checkout?): checked the subjects of the ${count} that it has`;
  return { isWell: wrong.length === 0, lines: [...wrong, `${range}: ${wrong.length} wrong.`] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { isWell, lines } = checkCommits(root, process.argv[2] ?? ruleBegins);
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = isWell ? 0 : 1;
}
