// `wm completion install` and `uninstall`: the right file, one line, after asking; links, modes and other lines stay.

import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { putMarkedLine, removeMarkedLine } from '#app/completion/start-up-file.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';

const text = (path: string) => readFile(path, 'utf8');
const real = createWorld();
const on = (platform: NodeJS.Platform) => ({ process: { ...real.process, platform } });

const files = [
  { shell: 'bash', file: '.bashrc' },
  { shell: 'zsh', file: '.zshrc' },
  { shell: 'fish', file: '.config/fish/completions/wm.fish' },
] as const;

for (const { shell, file } of files) {
  test(`${shell}: adds one line to ~/${file} once, and uninstall removes it`, async (context) => {
    const home = await ownFolder(context);
    const environment = { HOME: home, SHELL: `/usr/bin/${shell}`, PATH: process.env['PATH'] };
    const world = on('linux');
    const first = await run(['completion', 'install', '--yes', '--json'], { exit: 0, environment, world });
    const { line, ...rest } = JSON.parse(first.output);
    assert.deepEqual(rest, { shell, path: join(home, file), changed: true });
    assert.equal(await text(join(home, file)), `${line}  # wm completion\n`);
    assert.match(line, new RegExp(`wm completion ${shell}`));

    const again = await run(['completion', 'install', '--json'], { environment, world });
    assert.deepEqual([again.status, JSON.parse(again.output).changed], [0, false]);
    assert.equal(await text(join(home, file)), `${line}  # wm completion\n`);

    const undone = await run(['completion', 'uninstall', '--yes', '--json'], { environment, world });
    assert.deepEqual(JSON.parse(undone.output), { shell, path: join(home, file), changed: true });
    assert.equal(await text(join(home, file)).catch(() => 'no file'), shell === 'fish' ? 'no file' : '');
    const nothing = await run(['completion', 'uninstall'], { environment, world });
    assert.deepEqual([nothing.status, nothing.output], [0, '']);
    assert.match(nothing.errors, /has no line of wm/);
  });
}

for (const typed of [['fish'], ['FISH'], ['--shell', 'fish'], ['fish', '--shell', 'fish']])
  test(`--shell or SHELL selects the shell: ${typed.join(' ')}`, async (context) => {
    const home = await ownFolder(context);
    const environment = { HOME: home, SHELL: '/bin/bash', PATH: process.env['PATH'] };
    const path = join(home, '.config/fish/completions/wm.fish');
    for (const word of ['install', 'uninstall']) {
      const ran = await run(['completion', word, ...typed, '--yes', '--json'], {
        exit: 0,
        environment,
        world: on('linux'),
      });
      const { line: _, ...rest } = JSON.parse(ran.output);
      assert.deepEqual(rest, { shell: 'fish', path, changed: true });
    }
  });

for (const [typed, message] of [
  [['csh'], 'SHELL: "csh" is not one of bash, zsh, fish, powershell'],
  [['zsh', '--shell', 'fish'], 'Two shells are given: zsh and fish'],
] as const)
  test(`writes nothing: ${typed.join(' ')}`, async (context) => {
    const home = await ownFolder(context);
    const environment = { HOME: home, SHELL: '/bin/bash', PATH: process.env['PATH'] };
    const ran = await run(['completion', 'install', ...typed, '--yes'], {
      exit: 2,
      environment,
      world: on('linux'),
    });
    assert.ok(ran.errors.startsWith(`wm: ${message}`), ran.errors);
    assert.deepEqual(await readdir(home), []);
  });

test('keeps other lines, the file mode and a symbolic link', {
  skip: process.platform === 'win32',
}, async (context) => {
  const home = await ownFolder(context);
  const target = join(home, 'dotfiles', 'bashrc');
  await mkdir(join(home, 'dotfiles'));
  const before = '\ufeffalias a=b\r\n# no line break at its end: é';
  await writeFile(target, before);
  await chmod(target, 0o640);
  await symlink(target, join(home, '.bashrc'));
  const environment = { HOME: home, SHELL: '/bin/bash', PATH: process.env['PATH'] };
  const world = on('linux');
  await run(['completion', 'install', '--yes'], { exit: 0, environment, world });
  assert.ok((await lstat(join(home, '.bashrc'))).isSymbolicLink());
  assert.equal((await stat(target)).mode & 0o777, 0o640);
  assert.ok((await text(target)).startsWith(`${before}\n`));
  await run(['completion', 'uninstall', '--yes'], { exit: 0, environment, world });
  assert.ok((await lstat(join(home, '.bashrc'))).isSymbolicLink());
  assert.equal((await stat(target)).mode & 0o777, 0o640);
  assert.equal(await text(target), `${before}\n`);
});

test('keeps a link to a file that does not exist yet', {
  skip: process.platform === 'win32',
}, async (context) => {
  const home = await ownFolder(context);
  await symlink(join(home, 'elsewhere'), join(home, '.zshrc'));
  const environment = { HOME: home, ZDOTDIR: '', PATH: process.env['PATH'] };
  await run(['completion', 'install', '--shell', 'zsh', '--yes'], {
    exit: 0,
    environment,
    world: on('linux'),
  });
  assert.ok((await lstat(join(home, '.zshrc'))).isSymbolicLink());
  assert.match(await text(join(home, 'elsewhere')), /wm completion zsh/);
});

test('replaces an older line of wm in place', () => {
  const old = 'a\neval "$(wm old)"  # wm completion\nb\n';
  assert.equal(putMarkedLine(old, 'new'), 'a\nnew  # wm completion\nb\n');
  assert.equal(putMarkedLine(`${old}x # wm completion`, 'new'), 'a\nnew  # wm completion\nb\n');
  assert.equal(removeMarkedLine(old), 'a\nb\n');
  assert.equal(removeMarkedLine('# wm completion is nice\n'), '# wm completion is nice\n');
});

test('file locations: ZDOTDIR, XDG_CONFIG_HOME, macOS, PowerShell', async (context) => {
  const home = await ownFolder(context);
  const PATH = process.env['PATH'];
  const pathOf = async (shell: string, more: Record<string, string>, platform: NodeJS.Platform = 'linux') => {
    const ran = await run(['completion', 'install', '--shell', shell, '--yes', '--json'], {
      exit: 0,
      environment: { HOME: home, PATH, ...more },
      world: on(platform),
    });
    return JSON.parse(ran.output).path;
  };
  assert.equal(await pathOf('zsh', { ZDOTDIR: join(home, 'z') }), join(home, 'z', '.zshrc'));
  assert.equal(
    await pathOf('fish', { XDG_CONFIG_HOME: join(home, 'c') }),
    join(home, 'c/fish/completions/wm.fish'),
  );
  assert.equal(await pathOf('bash', {}, 'darwin'), join(home, '.bash_profile'));
  await rm(join(home, '.bash_profile'));
  await writeFile(join(home, '.profile'), '');
  assert.equal(await pathOf('bash', {}, 'darwin'), join(home, '.profile'));
});

test('asks PowerShell for its profile', { skip: process.platform === 'win32' }, async (context) => {
  const home = await ownFolder(context);
  const profile = join(home, 'Documents', 'profile.ps1');
  const environment = { HOME: home, SHELL: '/usr/bin/pwsh', PATH: home };
  const without = await run(['completion', 'install', '--yes'], {
    exit: 1,
    environment,
    world: on('linux'),
  });
  assert.match(without.errors, /neither pwsh nor powershell could be run[\s\S]*wm completion powershell/);
  await writeFile(join(home, 'pwsh'), `#!/bin/sh\n[ "$4" = '$PROFILE' ] && echo '${profile}'\n`, {
    mode: 0o755,
  });
  const ran = await run(['completion', 'install', '--yes'], { exit: 0, environment, world: on('linux') });
  assert.match(await text(profile), /Invoke-Expression \} {2}# wm completion\n$/);
  const windows = { environment: { PATH: home }, world: on('win32') };
  const again = await run(['completion', 'install', '--json'], windows);
  assert.deepEqual(JSON.parse(again.output).changed, false, again.errors);
  assert.match(ran.errors, /does not find wm on its PATH\. To install it there: npm install --global /);
  const world = {
    process: { ...real.process, platform: 'linux' as const, self: ['/opt/tools/wm'] as const },
  };
  const executable = await run(['completion', 'install', '--yes'], { environment, world });
  assert.match(executable.errors, /on its PATH\. Add this folder to it: \/opt\/tools\n/);
});

test('errors: an unknown shell, no shell, no home, a file that is not UTF-8, a folder in its place', async (context) => {
  const home = await ownFolder(context);
  const failure = async (environment: Record<string, string>, ...flags: string[]) => {
    const ran = await run(['completion', 'install', '--yes', ...flags], { environment, world: on('linux') });
    return [ran.status, ran.errors] as const;
  };
  assert.match(
    (await failure({ HOME: home, SHELL: '/bin/tcsh' })).join(' '),
    /^2 wm: wm has no completion for tcsh[\s\S]*--shell/,
  );
  for (const variables of [{}, { SHELL: '' }])
    assert.match((await failure({ HOME: home, ...variables })).join(' '), /^2 wm: SHELL is not set/);
  assert.match((await failure({ SHELL: '/bin/bash' })).join(' '), /^2 wm: HOME is not set/);
  await writeFile(join(home, '.bashrc'), Buffer.from([0xff, 0xfe, 0x61, 0]));
  assert.match(
    (await failure({ HOME: home, SHELL: '/bin/bash' })).join(' '),
    /^2 wm: .*is not UTF-8[\s\S]*yourself: if command/,
  );
  await mkdir(join(home, '.zshrc'));
  assert.match((await failure({ HOME: home }, '--shell', 'zsh')).join(' '), /^1 wm: Cannot read .*\.zshrc/);
  await writeFile(join(home, 'file'), '');
  assert.match(
    (await failure({ HOME: home, ZDOTDIR: join(home, 'file') }, '--shell', 'zsh')).join(' '),
    /^1 [\s\S]*\nwm: Cannot write/,
  );
  assert.deepEqual([...(await readFile(join(home, '.bashrc')))], [0xff, 0xfe, 0x61, 0]);
});

test('shows the line and asks; "no" changes nothing', { skip }, async (context) => {
  const stage = await setStage(context);
  const setting = { environment: { SHELL: '/bin/bash' } };
  const refused = openInProcess(context, stage, 'wm completion install', setting);
  await refused.shows('eval "$(wm completion bash)"');
  await refused.shows('Add it to', 'n\r');
  assert.equal(await refused.ended, 2);
  await assert.rejects(stat(join(stage.folder, '.bashrc')));
  const agreed = openInProcess(context, stage, 'wm completion install', setting);
  await agreed.shows('Add it to', 'y\r');
  assert.equal(await agreed.ended, 0);
  assert.match(await text(join(stage.folder, '.bashrc')), /wm completion bash/);
});
