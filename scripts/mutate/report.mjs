// The results of a mutation run as text.

export function formatResults(tried, { commit, seed, notTried, all, leftOut }) {
  const of = (outcome) => tried.filter((one) => one.outcome === outcome);
  const [killed, late, typed, survived, unrun] = [
    'killed',
    'timed-out',
    'rejected-by-types',
    'survived',
    'not-run',
  ].map(of);
  const percent = (some, whole) => (whole === 0 ? '-' : `${((100 * some) / whole).toFixed(1)} %`);
  const found = killed.length + late.length;
  const lines = [
    '',
    `Commit ${commit}, seed ${seed}: ${tried.length} changes tried of ${all} possible${notTried > 0 ? `; ${notTried} of the slice not tried, for want of time` : ''}`,
    ...(leftOut > 0 ? [`  ${leftOut} test files were left out, by --without`] : []),
    `  ${killed.length} killed by a test, ${late.length} by a time limit, ${survived.length} survived, ${unrun.length} that no test runs`,
    `  ${typed.length} that pass the tests but not the compiler`,
    `  killed: ${percent(found, tried.length)} by tests, ${percent(found + typed.length, tried.length)} with the compiler`,
  ];
  for (const [title, list] of [
    ['Survived', survived],
    ['Run by no test', unrun],
    ['Ended by a time limit', late],
  ]) {
    if (list.length === 0) continue;
    lines.push('', `${title}:`);
    for (const { file, line, original, replacement, by } of list.toSorted((a, b) =>
      a.file < b.file ? -1 : 1,
    )) {
      lines.push(
        `- ${file}:${line}${by === undefined ? '' : ` (${by})`}`,
        `  \`${flat(original)}\` -> \`${flat(replacement)}\``,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

const flat = (text) => text.replace(/\s+/g, ' ').trim();
