// Shared by the parts of the benchmark: medians, builds measured in turn, and the processes that a part starts.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

/** Runs Node with these arguments and no input. Returns its output. */
export function runNode(words, env) {
  const running = promisify(execFile)(process.execPath, words, { env, maxBuffer: Number.POSITIVE_INFINITY });
  running.child.stdin.end();
  return running;
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
  const running = new Set();
  return {
    /** Resolves once the process has printed `ready`, whose first group is its port, with all that it printed. */
    async start(command, env, ready = /(?:127\.0\.0\.1:|^)(\d{4,5})\b/) {
      const child = spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(child, 'exit');
      const stop = () => {
        running.delete(stop);
        child.kill('SIGTERM');
        return ended;
      };
      running.add(stop);
      let text = '';
      let port;
      const isReady = new Promise((resolve) => {
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
      });
      const tooSoon = ended.then(([status]) => {
        throw new Error(`${command.join(' ')} ended with ${status}: ${text}`);
      });
      await Promise.race([isReady, tooSoon]);
      return { port, pid: child.pid, text, stop };
    },
    stopAll: () => Promise.allSettled([...running].map((stop) => stop())),
  };
}

/** Sends signed deliveries, or updates of a task if there is a token. */
export async function send(port, milliseconds, connections = 50, token = '') {
  const load = fileURLToPath(new URL('hook-load.mjs', import.meta.url));
  const { stdout } = await runNode([load, port, secret, connections, milliseconds, token].map(String));
  return JSON.parse(stdout);
}
