// Shared by the parts of the benchmark: medians, builds measured in turn, and the processes that a part starts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const secret = 'a secret for the benchmark';
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The median ratio of `mine` to `theirs`, pair by pair. */
export const ratioOf = (mine, theirs) => median(mine.map((value, at) => value / theirs[at]));

/** Runs each once per round, in an order that rotates each round. Returns what each took, in the order of `runs`. */
export async function takeRounds(rounds, runs) {
  const taken = runs.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (let step = 0; step < runs.length; step++) {
      const at = (round + step) % runs.length;
      taken[at].push(await runs[at]());
    }
  return taken;
}

/** Prints a comparison. Returns it as the only member of a list if it missed its target: `least` of a ratio, `most` milliseconds. */
export function printComparison(name, [bases, mine, others], { least, most }) {
  const ratio = ratioOf(mine, bases);
  const isMissed = ratio < least || median(mine) > most;
  const target = most === undefined ? `ratio at least ${least}` : `at most ${most}`;
  const other = others === undefined ? '' : `; ${ratioOf(mine, others).toFixed(3)} of the other build`;
  const line = `${name}: ${median(mine).toFixed(0)} (${target}), ${ratio.toFixed(2)} of the bare ${median(bases).toFixed(0)}${other}`;
  process.stdout.write(`${line}${isMissed ? '  missed' : ''}\n`);
  return isMissed ? [line] : [];
}

/** Returns `start`, and `stopAll` for what it has started. */
export function createProcesses() {
  const running = new Map();
  return {
    /** Resolves once the process has printed `ready`, whose first group is its port, with all that it printed. */
    async start(command, env, ready = /(?:127\.0\.0\.1:|^)(\d{4,5})\b/) {
      const child = spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const stop = async () => {
        running.delete(child);
        child.kill('SIGTERM');
        await ended;
      };
      child.once('spawn', () => running.set(child, stop));
      let text = '';
      let port;
      await new Promise((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (piece) => {
            // Read and drop further lines: storing them would slow down both sides.
            if (port !== undefined) return;
            text += piece;
            const found = ready.exec(text);
            if (!found) return;
            port = Number(found[1]);
            resolve();
          });
        child.once('error', reject);
        child.once('exit', (status) =>
          reject(new Error(`${command.join(' ')} ended with ${status}: ${text}`)),
        );
      });
      return { port, pid: child.pid, text, stop };
    },
    stopAll: () => Promise.all([...running.values()].map((stop) => stop())),
  };
}

/** Sends signed deliveries, or updates of a task if there is a token. */
export async function send(port, milliseconds, connections = 50, token = '') {
  const words = [
    fileURLToPath(new URL('hook-load.mjs', import.meta.url)),
    port,
    secret,
    connections,
    milliseconds,
  ];
  const child = spawn(process.execPath, words.map(String), {
    env: { ...process.env, LOAD_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const texts = await child.stdout.setEncoding('utf8').toArray();
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`The load ended with ${child.exitCode}`);
  const { others, ...figures } = JSON.parse(texts.join(''));
  if (Object.keys(others).length > 0) throw new Error(`Not every response was 200: ${texts.join('')}`);
  return figures;
}
