// Chooses the test files to run. Separate from test.mjs to test it with the backslashes of Windows on any system.

/** Tests that need more than npm provides (a browser, a NATS server, wine, a keychain), or many minutes, run only by name. */
const apart = /^(?:system|platform|sink|torture|recipes|package|openapi|executable|windows)\//;

/** As imports and people write it: `account/login.test.ts`. */
export function slashed(path) {
  return path.replaceAll('\\', '/');
}

/** Returns `quick` (NAME.test.ts), `deep` (NAME.deep.test.ts) or `apart`. */
function suiteOf(file) {
  if (apart.test(file)) return 'apart';
  return file.endsWith('.deep.test.ts') ? 'deep' : 'quick';
}

/**
 * `listed`: the files below test/, as the system names them. `wanted`: parts of paths such as `test/command`; without any, the
 * files of `suites`. Returns the files in order, and whether all of them are short.
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
