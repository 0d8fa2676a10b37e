// What can be known here of systems that the tests do not run on: which of them each native package was built for, that
// the lock file names those builds, that scripts read Windows's paths, and that the table in docs/ is whole.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chooseTests, slashed } from '../../scripts/choose-tests.mjs';

interface Locked {
  readonly version: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optional?: boolean;
  readonly integrity?: string;
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

/** The systems that docs/platforms.md promises, as Node names them. */
const systems = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-glibc',
  'linux-arm64-musl',
  'linux-x64-glibc',
  'linux-x64-musl',
  'win32-arm64',
  'win32-x64',
] as const;

/** Those for which the lock file has a build of the package, by the names that npm compares with its own. */
function lockedFor(scope: string): string[] {
  const builds = Object.entries(packages).filter(([path]) => path.startsWith(`node_modules/${scope}`));
  return systems.filter((system) => {
    const [os = '', cpu = '', libc] = system.split('-');
    return builds.some(
      ([, build]) =>
        build.optional === true &&
        build.integrity !== undefined &&
        build.os?.includes(os) &&
        build.cpu?.includes(cpu) &&
        (libc === undefined || build.libc === undefined || build.libc.includes(libc)),
    );
  });
}

test('the lockfile has the keychain library for every system', () => {
  assert.deepEqual(lockedFor('@napi-rs/keyring-'), systems);
});

test('the lockfile has the build and check tools for every system, and the pseudo-terminal of the tests', () => {
  for (const scope of ['@esbuild/', '@biomejs/cli-', '@typescript/typescript-', '@lydell/node-pty-'])
    assert.deepEqual(lockedFor(scope), systems, scope);
});

test('the lock library ships its builds; the one for Linux needs only a C library', () => {
  const builds = [...new Set(systems.map((system) => system.replace(/-(?:glibc|musl)$/, '')))];
  for (const build of builds) {
    const path = `node_modules/fs-native-extensions/prebuilds/${build}/fs-native-extensions.node`;
    assert.ok(existsSync(path), path);
    if (!build.startsWith('linux')) continue;
    // musl's loader takes libc.so.6 for itself. A library of glibc's alone, such as libstdc++.so.6, it would not find.
    const names = readFileSync(path)
      .toString('latin1')
      .match(/lib[\w+-]+\.so\.\d+/g);
    assert.deepEqual([...new Set(names)], ['libc.so.6'], path);
  }
});

test('no other runtime package depends on the system', () => {
  const bound = Object.entries(packages)
    .filter(([, { os, cpu, optional }]) => (os ?? cpu) !== undefined && optional !== true)
    .map(([path]) => path);
  assert.deepEqual(bound, []);
});

test('selects the same tests from a list made by Windows', () => {
  const posix = [
    'bulk/csv.test.ts',
    'command/a.deep.test.ts',
    'command/a.test.ts',
    'command/a.ts',
    'system/b.test.ts',
    'torture/c.test.ts',
  ];
  const windows = posix.map((file) => file.replaceAll('/', '\\'));
  for (const wanted of [[], ['test/command'], ['test/system'], ['csv', 'torture/'], ['none']])
    assert.deepEqual(chooseTests(windows, wanted), chooseTests(posix, wanted));
  assert.deepEqual(chooseTests(windows, [], ['quick']), {
    chosen: ['bulk/csv.test.ts', 'command/a.test.ts'],
    isShort: true,
  });
  assert.deepEqual(chooseTests(windows, [], ['deep']).chosen, ['command/a.deep.test.ts']);
  assert.deepEqual(chooseTests(windows, ['test\\system']), { chosen: ['system/b.test.ts'], isShort: false });
  assert.equal(slashed('bulk\\parse-csv.ts'), 'bulk/parse-csv.ts');
});

test('the workflow for other hosts runs the script on each of them', () => {
  const text = readFileSync('.github/workflows/platforms.yml', 'utf8');
  assert.equal(text.match(/run: node scripts\/ci-platform\.mjs$/gm)?.length, 2);
  for (const host of ['macos-latest', 'windows-latest', 'alpine']) assert.ok(text.includes(host), host);
  assert.doesNotMatch(text, /\t/);
});

test('no file path is built with a slash, which Windows would print after its backslashes', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  // Only Linux has a session bus.
  const found = sources.filter((file) =>
    /[fF]older(?:\}\/(?!bus`)| \+ ['`]\/)/.test(readFileSync(`src/${slashed(file)}`, 'utf8')),
  );
  assert.deepEqual(found, []);
});

const tableRows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '));

test('the rows tested under wine match test/windows/, and so do the limits of wine', () => {
  const files = readdirSync('test/windows').filter((name) => name.endsWith('.test.ts'));
  const named = files.flatMap((file) => {
    const text = readFileSync(`test/windows/${file}`, 'utf8');
    const rows = [...text.matchAll(/testRows\(\s*\[([^\]]*)\]/g)].flatMap(([, list = '']) => [
      ...list.matchAll(/'([^']*)'/g),
    ]);
    return rows.map(([, name]) => `${name}: test/windows/${file}`);
  });
  const [table = '', limits = ''] = readFileSync('docs/platforms.md', 'utf8').split(
    '\n## What wine cannot do\n',
  );
  const told = tableRows(table).flatMap(([name, , , , how = '']) => {
    const file = /^wine: ([^;]*)/.exec(how)?.[1];
    return file === undefined ? [] : [`${name}: ${file}`];
  });
  assert.deepEqual(told.toSorted(), named.toSorted());
  const shown = readFileSync('test/windows/limits.test.ts', 'utf8').matchAll(/testLimit\(\s*(['"])(.*?)\1,/g);
  assert.deepEqual(
    tableRows(limits)
      .slice(1)
      .map(([name]) => name),
    [...shown].map(([, , name]) => name),
  );
});

test('every row of the table says how each system was tested, in the words explained there', () => {
  const text = readFileSync('docs/platforms.md', 'utf8');
  const [header = '', ...body] = tableRows(text.split('\n## ')[0] ?? '');
  assert.deepEqual(header, ['What', 'Linux', 'macOS', 'Windows', 'How it was tested']);
  assert.ok(body.length > 20);
  for (const row of body) {
    assert.equal(row.length, 5, row[0]);
    assert.match(row[4] ?? '', /\b(?:real|wine|fake|read|not)\b/, row[0]);
    for (const [path] of (row[4] ?? '').matchAll(/test\/[\w/.-]+/g)) assert.ok(existsSync(path), path);
  }
});
