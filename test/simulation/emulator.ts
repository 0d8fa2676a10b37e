// `wm emulator start --data FILE`, killed and started again, while clients change tasks and webhooks. It holds:
// - It starts again; with a broken disk, it may say instead why not.
// - It then has every change up to some moment, and none after it.
// - What it accepted two seconds before its end is there, unless it has said that it cannot save. Once the disk
//   works, it saves again. It says so only after it has said that it could not.
// - After a clean end everything is there, in one line, and beside the file is only its lock.
// - The titles that are there were delivered, before its end or after it, if their webhook is there.
// - A second one does not start while it runs, and says why.
// Excused: a power cut after a folder could not be synced, which is no error (docs/decisions/whole-files.md); and a leftover whose
// removal failed, which only the next start tries again.

import { createSample, sampleWebhooks } from '#emulator/state/sample.ts';
import { chooseSampleTokens } from '#emulator/state/sample-tokens.ts';
import { hold } from './events.ts';
import type { Machine, Run } from './machine.ts';
import type { Exchange } from './network.ts';

const file = '/home/data.json';
const command = ['emulator', 'start', '--json', '--fixed-tokens', '--port', '4010', '--data', file];
const mostUnsavedMs = 2000;
/** Longer than it waits before it tries to save again. */
const calmMs = 60_000;
const tokens = chooseSampleTokens();
const sample = createSample(tokens);
const webhook = {
  ...{ id: 'IEAAAAAQJAAAAAAB', accountId: 'IEAAAAAQ', applicationId: 'Rd7kPq2W', authorId: 'KUAAADAQ' },
  ...{ hookUrl: 'http://127.0.0.1:7000/', events: ['TaskTitleChanged'], status: 'Active' },
};
/** So large that changes are appended. */
const mails = [{ id: '1', to: 'ada@example.org', subject: '', text: 'x'.repeat(1_000_000), date: '' }];
const content = { format: 'wm-emulator-1', ...sample, clock: { offset: 0 }, webhooks: [webhook], mails };
const data = `${JSON.stringify(content)}\n`;

/** The titles of tasks, and the statuses of webhooks, by their ids. */
type State = ReadonlyMap<string, string>;
const sampleState: State = new Map(sample.tasks.slice(0, 2).map(({ id, title }) => [id, title]));
const taskIds = [...sampleState.keys()];
const textOf = (state: State) => JSON.stringify([...state].sort());

/** What there is after a change. */
interface Moment {
  readonly at: number;
  readonly state: State;
  /** To be delivered. Undefined after failed attempts have suspended the webhook. */
  readonly titles: readonly string[] | undefined;
}

export async function emulator(machine: Machine): Promise<void> {
  const { simulation, fates, disk, network } = machine;
  const { random } = simulation;
  const calm = simulation.randomOf('calm');
  disk.put(file, data);
  const delivered = new Set<string>();
  await network.serve(7000, (_, body) => {
    for (const [, title = ''] of body.matchAll(/"title": ?"(\w+)"/g)) delivered.add(title);
    return { status: 200, delayMs: random.next() * 100 };
  });
  const clients = new Clients(machine);
  const harshLives = fates.isPlanned ? 1 : 1 + random.below(5);
  let second: Run | undefined;
  for (let life = 1; ; life++) {
    const isLast = life > harshLives;
    // Also the start of the last one, if it follows a harsh one.
    fates.isHarsh = life <= harshLives + 1;
    const { diskFaults } = fates.counts;
    const isBroken = () => fates.counts.diskFaults > diskFaults;
    const run: Run = second ?? machine.wm(command);
    const isSecond = second !== undefined;
    second = undefined;
    let isEnding = false;
    const ended = run.ended.then((status) => {
      hold(isEnding || !second?.output, 'A second one does not start while it runs');
      clients.hangUp();
      return { status, at: simulation.now };
    });
    while (run.output === '' && run.process.isAlive) await simulation.pass(20);
    if (!run.process.isAlive) {
      const saysWhy =
        /cannot start with .*: simulated/.test(run.errors) || (isSecond && /is using it/.test(run.errors));
      hold((await run.ended) === 137 || saysWhy, `It starts again: ${run.errors}`);
      continue;
    }
    fates.isHarsh = false;
    await clients.check();
    fates.isHarsh = !isLast;
    const isKilled = !isLast && !fates.isPlanned && random.chance(0.6);
    if (isKilled && random.chance(0.3)) second = machine.wm(command);
    for (let left = fates.isPlanned ? 2 : random.below(20); left > 0 && run.process.isAlive; left--) {
      const isReset = fates.isPlanned ? !isLast && left === 1 : random.chance(0.03);
      clients.change(isReset);
      // Time for a second try after a failed save.
      await simulation.pass(isReset ? 1500 : random.next() * random.one([60, 600]));
    }
    if (run.process.isAlive && (fates.isPlanned || (isKilled && calm.chance(0.3)))) {
      fates.isHarsh = false;
      await simulation.pass(calmMs);
      hold(isSaved(run), `It saves again once the disk works: ${run.errors}`);
      fates.isHarsh = !isLast;
    }
    if (isKilled) run.process.kill();
    else {
      clients.change();
      await clients.settled();
      if (isLast) await simulation.pass(1_200_000);
      isEnding = true;
      run.process.interrupt('SIGTERM');
      if (!isLast && (fates.isPlanned || random.chance(0.7))) second = machine.wm(command);
    }
    const { status, at } = await ended;
    const saysWhy = /could not be saved/.test(run.errors);
    hold(saysWhy || !/is saved again/.test(run.errors), `It says first what failed: ${run.errors}`);
    hold([0, 137].includes(status) || (status === 1 && saysWhy), `It ends: ${status} ${run.errors}`);
    const neededUntil = at - (status === 0 ? 0 : mostUnsavedMs);
    await clients.settled();
    clients.end(isSaved(run) || status === 0 ? neededUntil : 0);
    const hasAppended = fates.steps.some(({ name }) => name === `${second?.process.name}: write ${file}`);
    if (status === 0 && !isBroken() && !hasAppended)
      hold(/^[^\n]+\n$/.test(disk.text(file) ?? ''), 'It leaves one line');
    if (isLast) break;
    if (second && !second.process.isAlive) {
      const saysWhy = /is using it/.test(second.errors) || isBroken();
      hold((await second.ended) === 137 || saysWhy, `The second one says why: ${second.errors}`);
      second = undefined;
    }
  }
  const names = disk.names('/home').filter((name) => !name.startsWith('.'));
  const isClean = `${names.sort()}` === 'data.json,data.json.lock';
  hold(
    isClean || fates.struck.some(({ step }) => /unlink \/home\/data/.test(step.name)),
    `Nothing is left beside it: ${names}`,
  );
  const missing = clients.titles.filter((title) => !delivered.has(title));
  hold(missing.length === 0, `Each title is delivered: ${missing}`);
}

const isSaved = ({ errors }: Run) =>
  errors.lastIndexOf('could not be saved') <= errors.lastIndexOf('is saved again');

class Clients {
  readonly #machine: Machine;
  /** One of them is there after the next start. The oldest is the first. */
  #moments: readonly Moment[] = [
    { at: 0, state: new Map([...sampleState, [webhook.id, 'there']]), titles: [] },
  ];
  #requests: Promise<unknown>[] = [];
  #connections = new AbortController();
  #exchanges = 0;
  #changes = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** To be delivered. */
  get titles(): readonly string[] {
    return this.#moments.at(-1)?.titles ?? [];
  }

  /** What is on its way does not arrive at the next one. */
  hangUp(): void {
    this.#connections.abort();
    this.#connections = new AbortController();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#requests.splice(0));
  }

  change(isReset = false): void {
    const { simulation, fates } = this.#machine;
    const name = `n${++this.#changes}`;
    const kind = simulation.random.below(fates.isPlanned ? 10 : 11);
    const ids = [...(this.#moments.at(-1)?.state.keys() ?? [])].filter((id) => id !== webhook.id);
    const id = ids[simulation.random.below(ids.length)] ?? '';
    const start = (...request: Parameters<Clients['send']>) =>
      void this.#requests.push(this.send(...request));
    if (isReset) start('POST', '/_emulator/reset');
    else if (kind < 2)
      start('POST', '/webhooks', { hookUrl: `https://hooks.example.com/${name}`, events: '["TaskCreated"]' });
    else if (taskIds.includes(id))
      start('PUT', `/tasks/${id}`, { title: name, ...(kind === 10 && { description: 'y'.repeat(40_000) }) });
    else if (kind < 5) start('DELETE', `/webhooks/${id}`);
    else start('PUT', `/webhooks/${id}`, { status: kind < 8 ? 'Suspended' : 'Active' });
  }

  async send(method: string, path: string, form: Readonly<Record<string, string>> = {}): Promise<string> {
    const request = {
      method,
      url: `http://127.0.0.1:4010${path.startsWith('/_') ? '' : '/api/v4'}${path}`,
      headers: { Authorization: `Bearer ${tokens.ada}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      ...(method !== 'GET' && { body: `${new URLSearchParams(form)}` }),
    };
    const http = this.#machine.network.httpFor(undefined);
    const result = await http.send(request, {
      signal: this.#connections.signal,
      timeoutMs: 60_000,
      maxBytes: 1e7,
    });
    return 'fault' in result ? '' : Buffer.from(result.body).toString();
  }

  /** Holds that one of the moments is there. */
  async check(): Promise<void> {
    const { fates, network } = this.#machine;
    const read = [await this.send('GET', `/tasks/${taskIds}`), await this.send('GET', '/webhooks')];
    hold(
      read.every((text) => text !== ''),
      'It responds',
    );
    const state = new Map(read.flatMap(recordsOf).map(({ id, title, status }) => [id, title ?? status]));
    const isDelivered = state.get(webhook.id) === 'Active';
    for (const { id } of sampleWebhooks) state.delete(id);
    if (state.has(webhook.id)) state.set(webhook.id, 'there');
    const found = this.#moments.findLast((moment) => textOf(moment.state) === textOf(state));
    const isExcused =
      fates.counts.powerCuts > 0 && fates.struck.some(({ step }) => /fsync \/home$/.test(step.name));
    const all = this.#moments.map((moment) => textOf(moment.state)).join('\n');
    hold(found !== undefined || isExcused, `It is as it was: ${textOf(state)}, none of\n${all}`);
    this.#moments = [{ at: 0, state, titles: isDelivered ? (found?.titles ?? []) : undefined }];
    this.#exchanges = network.exchanges.length;
  }

  /** Of what was accepted since, everything until `neededUntil` will be there. */
  end(neededUntil: number): void {
    const moments = [...this.#moments];
    for (const exchange of this.#machine.network.exchanges.slice(this.#exchanges)) {
      const { from, method, status, endedAt = 0 } = exchange;
      const last = moments.at(-1);
      if (last && from === 'world' && method !== 'GET' && status === 200)
        moments.push({ ...after(last, exchange), at: endedAt });
    }
    this.#moments = moments.slice(
      Math.max(
        0,
        moments.findLastIndex(({ at }) => at <= neededUntil),
      ),
    );
  }
}

function after({ state, titles }: Moment, { method, path, response = '' }: Exchange): Omit<Moment, 'at'> {
  if (path.endsWith('/reset')) return { state: sampleState, titles: [] };
  if (method === 'DELETE') return { titles, state: new Map([...state].filter(([id]) => !path.endsWith(id))) };
  const [{ id, title, status } = { id: '', status: '' }] = recordsOf(response);
  const isDelivered = title !== undefined && state.has(webhook.id);
  return {
    state: new Map(state).set(id, title ?? status),
    titles: isDelivered ? titles?.concat(title) : titles,
  };
}

function recordsOf(response: string): readonly { id: string; title?: string; status: string }[] {
  return response === '' ? [] : JSON.parse(response).data;
}
