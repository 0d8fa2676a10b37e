// `wm task update --from FILE`, and `--resume` until every row is done. It holds:
// - Every row takes effect, and its result is printed, before the journal says that the run is finished.
// - A row is not sent again if its result is in the journal, or was printed while the disk worked.
// - A row is sent again only if the journal says that it was sent, or the user reads that a power cut took that.
// - Without deaths, a row that was printed is sent again only if an earlier run said that it may be.
// - A run that only the disk fails says so, and sends nothing if it says that nothing was sent.
// - A run that ends by itself and has sent nothing adds no doubt about that, unless the disk fails twice.
// - While the disk works, the undo log has each row that was sent.

import { hold } from './events.ts';
import type { Machine } from './machine.ts';

const journal = '/home/journal';
const undoFolder = '/home/.config/wm/state/undo';
const mostRuns = 30;

export async function bulk(machine: Machine): Promise<void> {
  const { simulation, fates, disk, network } = machine;
  const { random } = simulation;
  const { emulator, environment } = await machine.startService();
  const rows = fates.isPlanned ? 3 : 1 + random.below(random.chance(0.2) ? 120 : 25);
  const ids = await createTasks(machine, emulator.controlUrl, rows);
  disk.put('/home/rows.csv', `id,title\n${ids.map((id, index) => `${id},title ${index}\n`).join('')}`);
  const concurrency = String(fates.isPlanned ? 2 : 1 + random.below(8));
  const options = ['--journal', journal, '--yes', '--resume', '--concurrency', concurrency];
  // In this run and those that it resumes; and ever.
  const [printed, everPrinted] = [new Set<string>(), new Set<string>()];
  const [arrived, everArrived] = [new Set<string>(), new Set<string>()];
  let isResendTold = false;
  const holdAllDone = () => {
    for (const id of ids)
      hold(everArrived.has(id) && everPrinted.has(id), `${id} takes effect and is printed`);
  };
  const harshRuns = fates.isPlanned ? 2 : 1 + random.below(6);
  for (let number = 1; ; number++) {
    hold(number <= mostRuns, 'It ends');
    fates.isHarsh = number <= harshRuns;
    const earlier = disk.text(journal) ?? '';
    const exchanges = network.exchanges.length;
    const isFinished = earlier.includes('"finished":true');
    if (isFinished && arrived.size > 0) holdAllDone();
    // A run that reached its end and died then: --resume begins anew, as it says.
    if (isFinished) for (const done of [printed, arrived]) done.clear();
    const before = isFinished ? new Map<string, string>() : statesIn(earlier, ids);
    const printedBefore = new Set(printed);
    const run = machine.wm(['task', 'update', '--from', '/home/rows.csv', ...options], environment);
    if (fates.isHarsh && !fates.isPlanned && random.chance(0.25))
      simulation.after(random.next() * 2000, () => run.process.interrupt('SIGINT'), run.process);
    const status = await run.ended;
    for (const [, id] of run.output.matchAll(/^\S+\t(\w+)\t(?:updated|failed|invalid)/gm))
      for (const all of [printed, everPrinted]) all.add(id ?? '');
    // What a dead process has sent may still arrive.
    await simulation.pass(60_000);
    const sent = network.exchanges.slice(exchanges).flatMap(({ method, path }) => {
      const [, id] = /\/tasks\/(\w+)/.exec(path) ?? [];
      return method === 'PUT' && id !== undefined ? [id] : [];
    });
    for (const id of sent) {
      const state = before.get(id);
      const isExpected = fates.counts.diskFaults > 0 && (fates.counts.deaths > 0 || isResendTold);
      hold(!printedBefore.has(id) || isExpected, `${id} was printed, and is sent again`);
      hold(state === undefined || /sent$/.test(state), `${id} is ${state} in the journal, and is sent again`);
      const isNamed = state === 'sent' || /counts? as sent/.test(run.errors);
      if (arrived.has(id)) hold(isNamed, `${id} is sent again, and nobody reads of it`);
    }
    for (const id of sent) for (const all of [arrived, everArrived]) all.add(id);
    isResendTold ||= /--resume may send the last rows( of it)? again|unknown outcome/.test(run.errors);
    const { diskFaults, deaths, networkFaults } = fates.counts;
    const isNothingSent = /Nothing was sent/.test(run.errors);
    hold(!isNothingSent || sent.length === 0, `Nothing was sent: ${run.errors}`);
    const isByDisk = deaths + networkFaults === 0 && ![0, 130].includes(status);
    hold(!isByDisk || /EIO|ENOSPC/.test(run.errors), `It says that the disk failed: ${status} ${run.errors}`);
    if (status !== 137 && arrived.size === 0 && diskFaults < 2 && lastCleared(earlier) === '0')
      hold(lastCleared(disk.text(journal)) === '0', 'A run that has sent nothing adds no doubt');
    const undoLog = disk.names(undoFolder).map((name) => disk.text(`${undoFolder}/${name}`));
    for (const id of sent) hold(diskFaults > 0 || undoLog.join('').includes(id), `${id} can be undone`);
    if (status === 0) break;
    if (!fates.isHarsh && number > harshRuns + 2)
      hold(false, `A calm run ends well: ${status} ${run.errors}`);
  }
  holdAllDone();
}

/** The line up to which the journal says that rows may have been sent; 0 if none was, or all have their entries. */
function lastCleared(text = ''): string {
  return [...text.matchAll(/^\{"may-send":(\d+)/gm)].at(-1)?.[1] ?? '0';
}

async function createTasks(
  { network }: Machine,
  controlUrl: string,
  count: number,
): Promise<readonly string[]> {
  const request = {
    method: 'POST',
    url: `${controlUrl}/tasks`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ count }),
  };
  const response = await network.httpFor(undefined).send(request, { timeoutMs: 60_000, maxBytes: 1e6 });
  if ('fault' in response) throw new Error(response.detail);
  return JSON.parse(Buffer.from(response.body).toString()).taskIds;
}

/**
 * What the journal says last of each task: `sent`, `updated`, `failed`, `invalid` or `not-sent`. The first row is on line 2. A line that
 * a power cut has torn says nothing.
 */
function statesIn(text: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const entries = /^\{"(sent|updated|failed|invalid|not-sent)":(\d+)[,}][^\0\n]*\n/gm;
  const states = new Map<string, string>();
  for (const [, state = '', line] of text.matchAll(entries)) states.set(ids[Number(line) - 2] ?? '', state);
  return states;
}
