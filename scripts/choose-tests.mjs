// Which test files run. Apart from test.mjs, because on Windows a folder lists its files with backslashes, and that must be
// tried without Windows.

/** What needs more than npm brings (a browser, a NATS server, the registry), or minutes, is run by its own name only. */
const apart = /^(?:system|sink|torture|recipes|package|openapi)\//;

/** As imports and people write it: `command/login.test.ts`. */
export function slashed(path) {
  return path.replaceAll('\\', '/');
}

/**
 * `listed`: the files below test/, as the system names them. `wanted`: parts of paths such as `test/command`. Gives the
 * files to run in order, and whether all of them are among those that always run.
 */
export function chooseTests(listed, wanted) {
  const files = listed
    .map(slashed)
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/'))
    .sort();
  const byDefault = files.filter((file) => !apart.test(file));
  const parts = wanted.map(slashed);
  const chosen =
    parts.length === 0
      ? byDefault
      : files.filter((file) => parts.some((part) => `test/${file}`.includes(part)));
  return { chosen, isShort: chosen.every((file) => byDefault.includes(file)) };
}

/** Every n-th of these files, so that slow ones, which often stand beside each other, are shared out. `slice`: `1/2` or `2/2`. */
export function chooseSlice(files, slice) {
  const [, which, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(slice) ?? [];
  if (which === undefined || Number(which) > Number(count))
    throw new Error(`--slice=${slice}: expected K/N, such as 1/2`);
  return files.filter((_, at) => at % Number(count) === Number(which) - 1);
}
