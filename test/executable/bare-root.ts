// Debian's smallest system, without Node, in a folder; what runs inside it does so as a newcomer with an empty home.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface BareRoot {
  readonly path: string;
  /** Runs a script of bash. `as`: the user. `onErrors`: gets what it has printed on standard error so far. */
  run(script: string, options?: RunOptions): Promise<Ended>;
  remove(): Promise<void>;
}

export interface RunOptions {
  readonly as?: 'newcomer' | 'root';
  readonly environment?: Readonly<Record<string, string>>;
  readonly onErrors?: (text: string) => void;
}

/** In a mount namespace of its own, so that nothing stays mounted however this ends. */
const enter = `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && as=$1 && shift &&
exec chroot --userspec="$as" "$0" env -i LANG=C.UTF-8 PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"`;

export async function createBareRoot(): Promise<BareRoot> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-bare-'));
  const path = join(folder, 'root');
  await succeed('debootstrap', ['--variant=minbase', 'bookworm', path]);
  const home = '/home/newcomer';
  await succeed('chroot', [path, 'useradd', '--create-home', '--skel', '/nonexistent', 'newcomer']);
  return {
    path,
    run(script, { as = 'newcomer', environment = {}, onErrors } = {}) {
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      const words = [
        `HOME=${as === 'root' ? '/root' : home}`,
        ...variables,
        'bash',
        '--norc',
        '-euo',
        'pipefail',
        '-c',
      ];
      const inside = `cd && ${script}`;
      return toEnd(spawn('unshare', ['--mount', 'sh', '-c', enter, path, as, ...words, inside]), onErrors);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function succeed(command: string, words: readonly string[]): Promise<Ended> {
  const ended = await toEnd(spawn(command, words));
  if (ended.status !== 0) throw new Error(`${command} ${words.join(' ')}\n${ended.output}${ended.errors}`);
  return ended;
}

async function toEnd(child: ChildProcess, onErrors?: (text: string) => void): Promise<Ended> {
  let output = '';
  let errors = '';
  child.stdin?.end();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    onErrors?.(errors);
  });
  await once(child, 'close');
  return { status: child.exitCode, output, errors };
}
