// Runs every command that docs/emulator.md shows, with its seed file, against an emulator.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { freePort } from '#test/support/service/free-port.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';

const page = await readFile('docs/emulator.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

/** What needs root is left out. What does not end, or is somebody else's, is replaced by what does and is here: so is a port that anybody may have. */
const toRun = async (block: string) =>
  block
    .replace(/^.* sudo .*$|^sudo .*$/gm, '')
    .replace('--port 443', '--port 0')
    .replace(/^wm emulator start(.*)$/gm, 'wm emulator exec$1 -- true')
    .replaceAll('4010', String(await freePort()))
    .replace('npm test', 'wm whoami');

async function shell({ folder, environment }: Stage, script: string) {
  const child = spawn('/bin/sh', ['-ec', script], { cwd: folder, env: environment });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, text: output + errors };
}

const skip = process.platform === 'win32' && 'needs /bin/sh';

for (const block of blocks('sh'))
  test(`docs/emulator.md: ${block.split('\n')[0]}`, { skip }, async (t) => {
    const stage = await setStage(t);
    const [seed = ''] = blocks('yaml');
    await writeFile(join(stage.folder, 'seed.yaml'), seed);
    const { status, text } = await shell(stage, await toRun(block));
    assert.equal(status, 0, text);
    if (block.includes('seed.yaml')) assert.match(text, /\tLaunch\t.*\n.*\tPictures\t/);
  });
