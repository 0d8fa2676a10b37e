// Which file Windows runs for a command, and how, where variables are missing or written otherwise.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveWindowsCommand, resolveWindowsLine } from '#world/windows-command.ts';

const rows: readonly (readonly [
  command: string,
  environment: Readonly<Record<string, string>>,
  files: readonly string[],
  expected: string,
])[] = [
  ['tool', { PATH: 'C:\\a;C:\\b' }, ['C:\\b\\tool.EXE'], 'C:\\b\\tool.EXE x'],
  ['tool', { Path: '"C:\\a;b";' }, ['C:\\a;b\\tool.COM'], 'C:\\a;b\\tool.COM x'],
  ['tool', { PATH: '' }, ['tool.EXE'], 'tool x'],
  ['tool', {}, ['tool.EXE'], 'tool x'],
  ['tool', { PATH: 'C:\\a', PATHEXT: '.PS1' }, ['C:\\a\\tool.EXE'], 'tool x'],
  ['.\\tool', {}, ['.\\tool.EXE'], '.\\tool.EXE x'],
  ['python3.11', { PATH: 'C:\\a' }, ['C:\\a\\python3.11.EXE'], 'C:\\a\\python3.11.EXE x'],
  ['C:\\a\\run.bat', {}, ['C:\\a\\run.bat'], 'cmd.exe /e:on /v:off /d /s /c ""C:\\a\\run.bat" "x""'],
  [
    'run',
    { path: 'C:\\a', COMSPEC: 'C:\\w\\cmd.exe' },
    ['C:\\a\\run.CMD'],
    'C:\\w\\cmd.exe /e:on /v:off /d /s /c ""C:\\a\\run.CMD" "x""',
  ],
];

for (const [command, environment, files, expected] of rows)
  test(`${command} with ${JSON.stringify(environment)}`, () => {
    const { file, args, verbatim } = resolveWindowsCommand(command, ['x'], environment, (path) =>
      files.includes(path),
    );
    assert.equal([file, ...args].join(' '), expected);
    assert.equal(verbatim, /\.(cmd|bat)"/i.test(expected));
  });

test('passes a shell line to cmd.exe as typed, quotes and all', () => {
  const line = '"C:\\a b\\tool.exe" --say "c & d" | more';
  assert.deepEqual(resolveWindowsLine(line, { COMSPEC: 'C:\\w\\cmd.exe' }), {
    file: 'C:\\w\\cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    // Node would put a backslash before each quote, which cmd.exe does not know.
    verbatim: true,
  });
});
