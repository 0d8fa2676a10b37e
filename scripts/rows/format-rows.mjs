// Formats the table in docs/contract-tests.md of the assumptions and the tests that show them, between two marks.

const [begin, end] = ['<!-- rows -->', '<!-- end of rows -->'];

/** `tests`: row, mode, title and file of each. */
function formatRows(tests) {
  const cell = (text) => text.replaceAll('|', '\\|');
  const sorted = tests.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const lines = sorted.map(
    ([row, mode, title, file]) => `| \`${row}\` | ${mode} | ${cell(title)} | \`${file}\` |`,
  );
  return [
    '| row | mode | shown by the test | in |',
    '| --- | ---- | ----------------- | -- |',
    ...lines,
  ].join('\n');
}

/** Replaces the table in the text. */
export function withRows(readme, tests) {
  const [before, rest] = readme.split(`${begin}\n`);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`The README has no ${begin} and ${end}`);
  return `${before}${begin}\n${formatRows(tests)}\n${end}${after}`;
}
