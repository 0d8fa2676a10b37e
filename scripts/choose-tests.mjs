// Which test files run. Apart from test.mjs, because on Windows a folder lists its files with backslashes, and that must be
// tried without Windows.

/** What needs more than npm brings (a browser, a NATS server, the registry), or many minutes, runs by its own name only. */
const apart = /^(?:system|sink|torture|recipes|package|openapi)\//;

/** As imports and people write it: `account/login.test.ts`. */
export function slashed(path) {
  return path.replaceAll('\\', '/');
}

/** `quick` (NAME.test.ts), `deep` (NAME.deep.test.ts) or `apart`. */
function suiteOf(file) {
  if (apart.test(file)) return 'apart';
  return file.endsWith('.deep.test.ts') ? 'deep' : 'quick';
}

/**
 * `listed`: the files below test/, as the system names them. `wanted`: parts of paths such as `test/command`; without any, the
 * files of `suites`. Gives the files to run in order, and whether none of them takes many minutes.
 */
export function chooseTests(listed, wanted, suites = ['quick', 'deep']) {
  const files = listed
    .map(slashed)
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/'))
    .sort();
  const parts = wanted.map(slashed);
  const chosen = files.filter((file) =>
    parts.length === 0 ? suites.includes(suiteOf(file)) : parts.some((part) => `test/${file}`.includes(part)),
  );
  return { chosen, isShort: chosen.every((file) => suiteOf(file) !== 'apart') };
}
