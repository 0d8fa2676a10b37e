// The figures of a coverage run as text: by folder, then by file where one is below its limit, with what nothing runs.

import { readFile } from 'node:fs/promises';

const folders = ['contract', 'client', 'login', 'bulk', 'command', 'emulator'];
/** Measured and shown, without a target. */
const others = ['terminal', 'world', 'failure.ts', 'inner.ts', 'main.ts'];
const target = { folder: 0.95, file: 0.85 };

const percent = ({ taken, all }) => (all === 0 ? '-' : `${((100 * taken) / all).toFixed(1)} %`);
const shareOf = ({ taken, all }) => (all === 0 ? 1 : taken / all);

function tally(branches, nameOf) {
  const sums = new Map();
  for (const branch of branches) {
    const name = nameOf(branch.file);
    const sum = sums.get(name) ?? { taken: 0, all: 0, missing: [] };
    sum.all++;
    if (branch.taken > 0) sum.taken++;
    else sum.missing.push(branch);
    sums.set(name, sum);
  }
  return sums;
}

/** `tree`: the copy that was measured. `show`: a part of paths; the branches that nothing runs are listed for these files too. */
export async function formatReport(totals, { tree, show }) {
  const branches = [...totals.branches.values()];
  const byFolder = tally(branches, (file) => file.split('/')[1]);
  const byFile = tally(branches, (file) => file);
  const { processes, lost } = totals.processes();
  const lines = ['', 'branches            taken     of            target'];
  let isMet = true;
  for (const name of [...folders, ...others]) {
    const sum = byFolder.get(name);
    if (sum === undefined) continue;
    const isTarget = folders.includes(name);
    const isMissed = isTarget && shareOf(sum) < target.folder;
    if (isMissed) isMet = false;
    const cells = [
      `src/${name}`.padEnd(18),
      String(sum.taken).padStart(7),
      String(sum.all).padStart(7),
      percent(sum).padStart(9),
      isTarget ? `${100 * target.folder} %`.padStart(9) : '',
      isMissed ? '  missed' : '',
    ];
    lines.push(cells.join('').trimEnd());
  }
  const low = [...byFile]
    .filter(([file, sum]) => folders.includes(file.split('/')[1]) && shareOf(sum) < target.file)
    .sort(([, a], [, b]) => shareOf(a) - shareOf(b));
  if (low.length > 0) isMet = false;
  lines.push('', `${low.length} files below ${100 * target.file} %:`);
  for (const [file, sum] of low)
    lines.push(`  ${percent(sum).padStart(7)}  ${sum.taken}/${sum.all}  ${file}`);
  if (totals.unbuilt.length > 0) {
    lines.push('', 'Branches that are not in the program, since nothing uses them:');
    for (const one of totals.unbuilt) lines.push(`  ${one}`);
  }
  const shown = [...byFile].filter(
    ([file, sum]) =>
      sum.missing.length > 0 && (low.some(([name]) => name === file) || (show && file.includes(show))),
  );
  for (const [file, { missing }] of shown) {
    const text = (await readFile(`${tree}${file}`, 'utf8')).split('\n');
    lines.push('', file);
    for (const { line, what } of missing) lines.push(`  ${line}: ${what}: ${text[line - 1]?.trim()}`);
  }
  lines.push(
    '',
    `${processes} processes wrote their counts; ${lost} were killed before they could, and theirs are missing.`,
    '',
  );
  return { text: lines.join('\n'), isMet };
}
