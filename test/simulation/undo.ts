// `wm webhook undo`, run until all is as before: after a command that may have died, while other people change the same webhooks. It holds:
// - Of each webhook that nobody else has changed, the status, the note and the label are put back.
// - What others have changed since is left alone without --overwrite: then nothing is sent, and the user reads of it.
// - An undo that did not end is continued: nothing that is as before is changed again.
// - A command that changed nothing, or is lost with the history, does not let undo reach the one before it without a word.

import { hold } from './events.ts';
import type { Machine } from './machine.ts';
import { at, startWebhooks, type Webhooks } from './webhooks.ts';

const mostRuns = 12;

export async function undo(machine: Machine): Promise<void> {
  const { simulation, fates } = machine;
  const { random } = simulation;
  const webhooks = await startWebhooks(machine, ['billing', 'search', 'audit'].map(at));
  const ids = (await webhooks.list()).map(({ id }) => id);
  for (let round = 1; round <= (fates.isPlanned ? 1 : 3); round++) {
    const [first = '', ...rest] = ids.filter(
      (_, index) => index < 2 && (fates.isPlanned || random.chance(0.7)),
    );
    const some = [first, ...rest];
    const suspend: readonly string[] = ['suspend', ...some, '--note', `round ${round}`];
    const resume = ['resume', ...some];
    const label = ['label', first, random.one(['red', 'green', 'blue'])];
    const command = fates.isPlanned ? resume : random.one([suspend, ['suspend', ...some], resume, label]);
    if (fates.isPlanned) await webhooks.wm(['webhook', ...suspend, '--yes']).ended;
    const before = await statesOf(webhooks);
    const { powerCuts } = fates.counts;
    const recorded = webhooks.history;
    fates.isHarsh = !fates.isPlanned && random.chance(0.4);
    const changing = webhooks.wm(['webhook', ...command, '--yes']);
    await changing.ended;
    await calm(machine);
    // A label that wm rejects is not a command to undo.
    const isRecorded = webhooks.history !== recorded && !/already has the label/.test(changing.errors);
    // Nothing syncs the history, so a power cut takes the end of it.
    if (fates.counts.powerCuts > powerCuts || /Cannot record the change/.test(changing.errors)) continue;
    const others = new Set(fates.isPlanned ? [] : ids.filter(() => random.chance(0.15)));
    for (const id of others) await webhooks.set(id, random.one(['Active', 'Suspended']));
    const harshRuns = fates.isPlanned ? 1 : random.below(4);
    for (let number = 1; ; number++) {
      const now = await statesOf(webhooks);
      const left = ids.filter((id) => !others.has(id) && now.get(id) !== before.get(id));
      // Undoing a recorded command that changed nothing must change nothing either.
      if (left.length === 0 && (number > 1 || !isRecorded)) break;
      fates.isHarsh = number <= harshRuns;
      const run = webhooks.wm(['webhook', 'undo', '--yes']);
      const status = await run.ended;
      await calm(machine);
      const after = await statesOf(webhooks);
      const about = `${status} ${run.errors}`;
      const [, unknown = ''] = /status before that is unknown, so left alone: (.*)/.exec(run.errors) ?? [];
      if (/could not be read beforehand/.test(changing.errors))
        for (const id of unknown.split(/, | and /)) others.add(id);
      // So is a damaged end.
      const mayBeDamaged =
        fates.counts.powerCuts > powerCuts || fates.struck.some(({ blow }) => blow === 'short');
      if (mayBeDamaged && /last line of the history is damaged/.test(run.errors)) break;
      hold(number <= mostRuns, `It ends: ${left} ${about}`);
      for (const id of ids) {
        const states = `${id} was ${now.get(id)}, and is ${after.get(id)}`;
        if (now.get(id) === before.get(id) || !some.includes(id))
          hold(after.get(id) === now.get(id), `It only puts back: ${states}; ${about}`);
      }
    }
  }
}

/** Requests that are still on their way arrive, and the kernel writes what it has to the disk. */
async function calm({ simulation, fates, disk }: Machine): Promise<void> {
  fates.isHarsh = false;
  await simulation.pass(90_000);
  disk.crash('power cut, kept');
}

/** The status, the label and the note of each webhook. */
async function statesOf(webhooks: Webhooks): Promise<ReadonlyMap<string, string>> {
  const { local } = webhooks;
  const listed = await webhooks.list();
  return new Map(
    listed.map(({ id, status }) => {
      const { note, label } = local[id] ?? {};
      return [id, [status, label, status === 'Suspended' && note?.text].filter(Boolean).join(', ')];
    }),
  );
}
