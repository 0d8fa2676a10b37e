// Runs a jq filter on its own thread (jq-worker.ts), started only for --jq.

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Jq, JqFilter, JqResults } from './world.ts';

/** Beside the program, or inside a single executable. */
const workerFile = 'jq-worker.cjs';

export function createJq(): Jq {
  return {
    async compile(filter, self, variables) {
      const [{ Worker }, { getAsset, isSea }] = await Promise.all([
        import('node:worker_threads'),
        import('node:sea'),
      ]);
      // The user may have started the program through a link.
      const program = realpathSync(self.at(-1) ?? '');
      const path = join(dirname(program), '..', 'dist', workerFile);
      // Ignore its streams: WebAssembly only repeats its error there.
      const worker = new Worker(isSea() ? getAsset(workerFile, 'utf8') : path, {
        eval: isSea(),
        workerData: { filter, variables: [...variables] },
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
      });
      let onReply: (reply: unknown) => void = () => {};
      let ended: JqResults | undefined;
      const end = (why: string) => {
        ended ??= resultsOfEndedJq(why);
        onReply(ended);
      };
      worker.on('message', (reply) => onReply(reply));
      worker.on('error', (error) => end(error.message));
      worker.on('exit', () => end('its thread ended'));
      const reply = () =>
        new Promise<unknown>((resolve) => {
          onReply = resolve;
        });
      const stop = async () => void (await worker.terminate());
      const started = await reply();
      const [invalid, error] = [memberOf(started, 'invalid'), memberOf(started, 'error')];
      if (typeof invalid === 'string') {
        await stop();
        return { invalid };
      }
      if (typeof error === 'string') throw new Error(error);
      const compiled: JqFilter = {
        async run(documents) {
          if (ended) return ended;
          const results = reply();
          worker.postMessage(documents);
          return toResults(await results);
        },
        stop,
      };
      return compiled;
    },
  };
}

function resultsOfEndedJq(why: string): JqResults {
  return { lines: [], notes: '', error: `jq ended early: ${why}`, isInvalidJson: false, hasEnded: true };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

function toResults(reply: unknown): JqResults {
  const [lines, notes, error] = ['lines', 'notes', 'error'].map((name) => memberOf(reply, name));
  return {
    lines: Array.isArray(lines) ? lines.map(String) : [],
    notes: typeof notes === 'string' ? notes : '',
    error: typeof error === 'string' ? error : undefined,
    isInvalidJson: memberOf(reply, 'isInvalidJson') === true,
    hasEnded: memberOf(reply, 'hasEnded') === true,
  };
}
