// `wm completion install`: the right file on each system, and the question before it. test/transcript/completion-install.txt has the
// others.

import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
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
