// `wm task undo`, run until all is as before: after an update or a bulk run that may have died, while other people change the same
// tasks. It holds:
// - What the update changed is put back, in each task in which nobody else has changed any of it. Nothing else changes.
// - A task in which others have changed some of it is left without --overwrite, and the user reads of it.
// - Who has not read that a task is undone can run undo again: it never redoes.
// - What was sent is in the log, with the values before it: undo never takes an earlier update for the last one.
// Excused: a power cut or half a write may tear a line of the log. Then undo sends nothing, and names the line. And of two undos at once,
// one may find that an earlier one has taken effect, and end before the other begins.

import { isDeepStrictEqual } from 'node:util';
import { hold } from './events.ts';
import { isPowerCut, type Strike } from './fates.ts';
import { type Machine, seedOf } from './machine.ts';

const [home, folder] = ['IEAAAAAQI4AAAAAB', 'IEAAAAAQI4AAAAAC'];
const seed = seedOf({
  version: 1,
  users: [{ firstName: 'Mia', email: 'mia@example.org', admin: true }],
  folders: [home, folder].map((id) => ({ id, title: id })),
  tasks: ['one', 'two', 'three'].map((title) => ({ title, parentIds: [home] })),
});
const mostRuns = 12;
const monthMs = 31 * 86_400_000;

type Service = Awaited<ReturnType<Machine['startService']>>;

interface StoredTask {
  readonly id: string;
  readonly title: string;
  readonly importance?: string;
  readonly parentIds: readonly string[];
}

/** Values of a task, by the parameter that sets them. */
type Values = Readonly<Record<string, string>>;

export async function taskUndo(machine: Machine): Promise<void> {
  const { simulation, fates, disk } = machine;
  const { random } = simulation;
  const service = await machine.startService({ seed });
  const run = (...argv: readonly string[]) => machine.wm(['task', ...argv], service.environment);
  const states = () => statesOf(service);
  const ids = [...(await states()).keys()];
  const [first = ''] = ids;
  const some = (values: Values): Values => {
    const entries = Object.entries(values).filter(() => fates.isPlanned || random.chance(0.6));
    return Object.fromEntries(entries.length > 0 ? entries : Object.entries(values).slice(0, 1));
  };
  const setClock = () => {
    if (random.chance(0.2)) simulation.skew = random.one([0, monthMs, -monthMs]);
  };
  for (let round = 1; round <= (fates.isPlanned ? 2 : 3); round++) {
    const struckBefore = fates.struck.length;
    setClock();
    const isBulk = fates.isPlanned ? round === 1 : random.chance(0.6);
    const earlier = random.one([{ title: `earlier ${round}` }, { importance: 'Normal' }]);
    for (const id of ids)
      if (random.chance(0.3)) await run('update', id, '--undoable', ...flags(earlier)).ended;
    const sent = some({
      title: `round ${round}`,
      importance: random.one(['High', 'Low']),
      addParents: folder,
    });
    const before = await states();
    fates.isHarsh = fates.isPlanned || random.chance(0.5);
    const journal = `/home/journal${round}`;
    disk.put('/home/rows.csv', csv(isBulk ? ids : [first], sent));
    const bulk = ['--from', '/home/rows.csv', '--journal', journal, '--yes', '--resume'];
    await run('update', ...(isBulk ? bulk : [first, '--undoable', ...flags(sent)])).ended;
    await calm(machine);
    // A run that is finished would begin anew.
    const isFinished = disk.text(journal)?.includes('"finished":true');
    if (isBulk && !isFinished && random.chance(0.5)) {
      setClock();
      await run('update', ...bulk).ended;
    }
    const ours = await states();
    for (const id of ids)
      if (!fates.isPlanned && random.chance(0.2)) {
        const importance = random.one(['High', 'Normal', 'Low']);
        const others = random.one<Values>([{ title: 'theirs' }, { importance }, { removeParents: folder }]);
        await setTask(machine, service, id, others);
      }
    const theirs = await states();
    /** Whether others have changed what the update has set, or may have set. */
    const isContested = (id: string) =>
      Object.entries(sent).some(([name, value]) => {
        const [was, is] = [before.get(id)?.[name], theirs.get(id)?.[name]];
        return was !== value && is !== was && is !== value;
      });
    const isChanged = (id: string) => !isDeepStrictEqual(before.get(id), ours.get(id));
    const left = new Set(ids.filter(isChanged));
    const isRun = isBulk && random.chance(0.5);
    const harshRuns = fates.isPlanned ? 1 : random.below(4);
    for (let number = 1; left.size > 0; number++) {
      setClock();
      const now = await states();
      // The history is not synced.
      const isLast = random.chance(0.3) && fates.counts.powerCuts + fates.counts.diskFaults === 0;
      const which = isRun ? ['--run', isLast ? 'last' : journal] : [...left];
      fates.isHarsh = number <= harshRuns;
      const runs = [run('undo', ...which, '--yes')];
      if (!fates.isPlanned && random.chance(0.4)) runs.push(run('undo', ...which, '--yes'));
      const statuses = await Promise.all(runs.map(({ ended }) => ended));
      await calm(machine);
      const after = await states();
      const about = `${statuses} ${runs.map(({ errors }) => errors)}`;
      const [one, other] = runs.map(({ errors }) => /had already taken effect/.test(errors));
      if (runs.length > 1 && one !== other) return;
      for (const id of ids)
        for (const [name, is] of Object.entries(after.get(id) ?? {})) {
          const [was, then] = [before.get(id)?.[name], now.get(id)?.[name]];
          const isPutBack = is === was && then === sent[name] && !isContested(id);
          hold(is === then || isPutBack, `It only puts back: ${id} ${name} was ${then}, is ${is}: ${about}`);
        }
      for (const id of left) {
        const isEnded = runs.some(({ output }, index) => statuses[index] === 0 || output.includes(id));
        const said = (words: RegExp) =>
          runs.some(({ errors }) => lines(errors, id).some((line) => words.test(line)));
        // Of a bulk run, any earlier line may have been a row.
        const mayBeDamaged = fates.struck.slice(isBulk ? 0 : struckBefore).some(mayTear);
        if (said(/damaged entry/)) hold(mayBeDamaged, `The log is whole: ${about}`);
        else if (isEnded || said(/had already taken effect|Nothing to undo/)) {
          for (const [name, value] of Object.entries(sent)) {
            const [was, is] = [before.get(id)?.[name], after.get(id)?.[name]];
            const isOurs = ours.get(id)?.[name] === value && theirs.get(id)?.[name] === value;
            hold(is === was || !isOurs, `It is put back: ${id} ${name} was ${was}, is ${is}: ${about}`);
          }
          hold(!isContested(id), `It is left: ${id}: ${about}`);
        } else if (said(/changed since your update|may not be from your update/))
          hold(isContested(id), `Nobody else has changed ${id}: ${about}`);
        else continue;
        left.delete(id);
      }
      hold(number <= mostRuns, `It ends: ${[...left]} ${about}`);
    }
  }
}

/** Half a write may be one that could not be taken back. */
const mayTear = ({ blow }: Strike): boolean => isPowerCut(blow) || blow === 'short';

/** The lines that name the task. */
const lines = (text: string, id: string): readonly string[] =>
  text.split('\n').filter((line) => line.includes(id));

const flags = (values: Values): readonly string[] =>
  Object.entries(values).map(([name, value]) => `--${name.replace('P', '-p')}=${value}`);

function csv(ids: readonly string[], values: Values): string {
  const rows = ids.map((id) => [id, ...Object.values(values)]);
  return [['id', ...Object.keys(values)], ...rows].map((row) => `${row.join(',')}\n`).join('');
}

/** Requests that are still on their way arrive. */
async function calm({ simulation, fates }: Machine): Promise<void> {
  fates.isHarsh = false;
  await simulation.pass(90_000);
}

/** By id. */
async function statesOf({ emulator }: Service): Promise<ReadonlyMap<string, Values>> {
  const { tasks }: { tasks: readonly StoredTask[] } = JSON.parse(
    JSON.stringify(await emulator.control('GET /seed')),
  );
  return new Map(
    tasks.map(({ id, title, importance = 'Normal', parentIds }) => [
      id,
      { title, importance, addParents: parentIds.includes(folder) ? folder : '' },
    ]),
  );
}

/** By a person at another machine, whom nothing harms. */
async function setTask(
  { network }: Machine,
  { emulator }: Service,
  id: string,
  values: Values,
): Promise<void> {
  const query = new URLSearchParams(values);
  if (values['removeParents'] !== undefined) query.set('removeParents', `["${folder}"]`);
  const url = `${emulator.baseUrl}/tasks/${id}?${query}`;
  const request = { method: 'PUT', url, headers: { Authorization: `Bearer ${emulator.token}` } };
  const response = await network.httpFor(undefined).send(request, { timeoutMs: 60_000, maxBytes: 1e6 });
  if ('fault' in response || response.status !== 200) throw new Error(JSON.stringify(response));
}
