// Processes that are killed or stopped at one of their own steps (at-step.cjs), so that a test which picks the step at
// random waits for no time to pass.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { untilInFolder } from '../disk/until-in-folder.ts';

export interface Step {
  /** `reached`: it has sent itself the signal. `ended`: it ended before. */
  readonly how: 'reached' | 'ended';
  readonly steps: number;
  readonly pid: number;
}

export interface AtStep {
  /** For the environment of the command; of its processes, the first whose command line has the word counts. */
  environment(step: number, signal: NodeJS.Signals): Readonly<Record<string, string>>;
  /** Resolves once that process has reached the step, or has ended. */
  reached(): Promise<Step>;
  /** What {@link reached} would give; nothing as long as it would wait. */
  read(): Promise<Step | undefined>;
  close(): Promise<void>;
}

/** For one run of a command. Without a signal: at step 0, which no process reaches. */
export async function atStep(word: string): Promise<AtStep> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-step-'));
  const file = join(folder, 'step');
  const read = async (): Promise<Step | undefined> => {
    const [how, steps, pid] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
    if (how !== 'reached' && how !== 'ended') return undefined;
    return { how, steps: Number(steps), pid: Number(pid) };
  };
  return {
    environment: (step, signal) => ({
      AT_STEP: `${word} ${step} ${signal} ${file}`,
      NODE_OPTIONS: `--require "${resolve('test/support/process/at-step.cjs')}"`,
    }),
    read,
    async reached() {
      let step: Awaited<ReturnType<typeof read>>;
      await untilInFolder(folder, async () => {
        step = await read();
        return step !== undefined;
      });
      assert.ok(step);
      return step;
    },
    close: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
