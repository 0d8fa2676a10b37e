// `wm webhook listen --forward-to`, whose sender repeats what was not answered, and whose target fails at times; beside it
// `wm webhook log --follow`, and `wm webhook log` at the end. It holds:
// - The sender gets 200 or 503, and never a status that suspends the webhook.
// - Every delivery that the sender saw accepted reaches the target, and is in the log, unless the log says that a full disk took it.
// - The target gets each under one number, and no reader of the log sees a number for two of them, even of those that were not stored,
//   except that a power cut, or a failed sync whose bytes are cut off, takes what was shown before it was synced.
// - A delivery is sent to the target only after the earlier ones of its tasks, and never after a later one; attempts are counted across
//   restarts.
// - What the target has accepted is not sent again, and stays forwarded in the log, unless its response was lost, or the receiver ended
//   or a call failed within the second that a note may wait for its sync.
//   A full disk may not take the note of an attempt: then it is sent once more.
// - In calm times a delivery is accepted, however full the disk was.
// - No start and no reader finds damage after a kill, nor after a power cut that left no holes.

import { sign } from '#contract/signature.ts';
import { userOf } from '#test/support/disk/memory-disk.ts';
import { hold } from './events.ts';
import type { Machine, Run } from './machine.ts';
import type { SimulatedProcess } from './process.ts';

const secret = 'canary-webhook-secret-1';
const url = 'http://127.0.0.1:4020/hook';
const journal = ['--journal', '/data/journal'];
const listen = [
  ...['webhook', 'listen', ...journal, '--secret-file', '/home/secret', '--port', '4020'],
  ...['--forward-to', 'http://127.0.0.1:7000/', '--max-attempts', '1000', '--drain', '1'],
];
const log = ['webhook', 'log', ...journal, '--json', '--last', '10000'];
const dayMs = 86_400_000;
/** A note of an outcome is on the disk after a second, and some time for the sync itself. */
const noteMs = 1200;

export async function receiver(machine: Machine): Promise<void> {
  const { simulation, fates, disk } = machine;
  const { random } = simulation;
  disk.put('/home/secret', secret);
  // Nothing but the journal makes the names in this folder durable.
  disk.put('/data/other', '');
  // Other scenarios create these folders.
  disk.put('/home/.local/state/wm/receivers/first', '');
  disk.remove('/home/.local/state/wm/receivers/first');
  // Made by hand a moment ago, and used: its name is not on the disk yet.
  if (!fates.isPlanned && simulation.randomOf('folder').chance(0.3)) {
    const { mkdir } = disk.systemOf(userOf()).promises;
    for (const path of ['/data/journal', '/data/journal/notes']) await mkdir(path, { mode: 0o700 });
  }
  const target = new Target(machine);
  await target.open();
  const sender = new Sender(machine);
  if (!fates.isPlanned && random.chance(0.5)) disk.freeBytes = 120_000;
  // So that a duplicate comes while the first waits for its sync.
  disk.syncMs = fates.isPlanned ? 15 : random.one([0, 0, 40]);
  fates.isHarsh = true;
  const sending = fates.isPlanned ? sender.sendInGroups() : sender.send(10 + random.below(150));
  const lives = fates.isPlanned ? 2 : 1 + random.below(5);
  for (let life = 1; life <= lives; life++) {
    const { powerCuts } = fates.counts;
    const run = machine.wm(listen);
    target.receiver = run.process;
    const lifeMs = fates.isPlanned ? ([0, 2900, 900][life] ?? 0) : 300 + random.next() * 5000;
    simulation.after(lifeMs, () => run.process.interrupt('SIGTERM'), run.process);
    simulation.after(12_000, () => run.process.kill(), run.process);
    let reader: Run | undefined;
    const follow = () => {
      reader = machine.wm([...log, '--follow']);
      reader.process.isSpared = true;
    };
    // By then there is a journal to read.
    if (life === 1) simulation.after(200, follow, run.process);
    const status = await run.ended;
    reader?.process.kill();
    target.receiverEnded();
    const isExcused = fates.counts.diskFaults > 0;
    hold(isExcused || [0, 137, 143].includes(status), `It starts and stops: ${status} ${run.errors}`);
    target.checkDamage(run);
    const failed = (call: string) =>
      fates.struck.flatMap(({ step, blow }) =>
        blow[0] === 'E' ? (new RegExp(`${call} (\\S+\\.journal)$`).exec(step.name)?.[1] ?? []) : [],
      );
    const uncut = failed('ftruncate');
    const isCut = failed('fsync').some((file) => !uncut.includes(file));
    if (reader && !isCut && fates.counts.powerCuts === powerCuts) target.checkLog(reader);
    else if (reader) target.checkDamage(reader);
    await simulation.pass(fates.isPlanned ? 50 : random.next() * 2000);
  }
  fates.isHarsh = false;
  await target.calm();
  const last = machine.wm(listen);
  target.receiver = last.process;
  await endCalmly(machine, last, async () => {
    await sending;
    await simulation.pass(5000);
    const missing = () => [...sender.accepted].filter((key) => !target.keys.has(key));
    for (let waits = 0; missing().length > 0 && waits < 1000; waits++) await simulation.pass(5000);
    hold(missing().length === 0, `Every accepted delivery arrives: ${missing()}`);
    await sender.deliver('1000C', 'x'.repeat(9000), 5);
    hold(sender.accepted.has('1000C'), 'In calm times a delivery is accepted');
  });
  target.checkDamage(last);
  const reader = machine.wm(log);
  hold((await reader.ended) === 0, `The log can be read: ${reader.errors}`);
  const states = target.checkLog(reader);
  const isFull =
    (disk.wasFull || fates.struck.some(({ blow }) => blow === 'ENOSPC')) && reader.errors.includes('dropped');
  for (const key of sender.accepted)
    hold(states.has(key) || isFull, `${key} is in the log: ${reader.errors}`);
  target.checkStates(states);
}

async function endCalmly({ simulation }: Machine, run: Run, wait: () => Promise<void>): Promise<void> {
  await Promise.race([
    wait(),
    run.ended.then((status) => hold(false, `It keeps listening: ${status} ${run.errors}`)),
  ]);
  await simulation.pass(20_000);
  run.process.interrupt('SIGTERM');
  const status = await run.ended;
  hold([0, 143].includes(status), `It stops: ${status} ${run.errors}`);
}

/** The service: sends deliveries, and repeats those without a response. */
class Sender {
  readonly #machine: Machine;
  readonly accepted = new Set<string>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  async send(count: number): Promise<void> {
    const { simulation } = this.#machine;
    const { random } = simulation;
    const all: Promise<void>[] = [];
    for (let number = 1; number <= count; number++) {
      if (random.chance(0.7)) await simulation.pass(random.next() * 300);
      const tasks = ['A', 'B', 'C'].filter(() => random.chance(0.4));
      const length = random.below(random.chance(0.3) ? 9000 : 60);
      all.push(this.deliver(`${number}${tasks.join('') || 'A'}`, 'x'.repeat(length), 8));
    }
    await Promise.all(all);
  }

  /** Each waits for those before it, so that after a death the first request repeats what the dead process had written. */
  async sendInGroups(): Promise<void> {
    const { simulation } = this.#machine;
    for (const [waitMs, ...group] of [
      [0, '1A'],
      [100, '2B'],
      [100, '3A', '3A', '3A'],
      [dayMs + 300, '4AB'],
      [100, '5C', '6A'],
      // The service repeats one although it was accepted.
      [2500, '7B', '1A'],
    ] as const) {
      await simulation.pass(waitMs % dayMs);
      // The journal begins a new segment each day.
      if (waitMs > dayMs) simulation.skew += dayMs;
      await Promise.all(group.map((key) => this.deliver(key, 'x'.repeat(50), 200)));
    }
  }

  /** `key`: its number, and its tasks. */
  async deliver(key: string, title: string, attempts: number): Promise<void> {
    const { simulation, fates } = this.#machine;
    const { random } = simulation;
    const body = JSON.stringify(
      [...key.replace(/\d+/, '')].map((task) => ({
        taskId: `IEAAAAAQKQAAAAA${task}`,
        webhookId: 'IEAAAAAQJAAAAAAB',
        eventType: 'TaskTitleChanged',
        title,
        key,
      })),
    );
    for (let attempt = 1; attempt <= attempts; attempt++) {
      // Twice at once, as after a time limit of the service.
      await Promise.all([this.#attempt(key, body), random.chance(0.05) && this.#attempt(key, body)]);
      if (this.accepted.has(key)) return;
      await simulation.pass(random.next() * (fates.isPlanned ? 100 : 4000));
    }
  }

  async #attempt(key: string, body: string): Promise<void> {
    const headers = {
      'Content-Type': 'application/json',
      'X-Hook-Signature': sign(secret, body),
      'Idempotency-Key': key,
    };
    const request = { method: 'POST', url, headers, body };
    const { network, fates } = this.#machine;
    const result = await network
      .httpFor(undefined)
      .send(request, { timeoutMs: fates.isPlanned ? 300 : 10_000, maxBytes: 1e6 });
    if ('fault' in result) return;
    hold([200, 503].includes(result.status), `The sender gets 200 or 503, not ${result.status}`);
    if (result.status === 200) this.accepted.add(key);
  }
}

interface Arrival {
  readonly isAccepted: boolean;
  /** From a receiver that is dead by now. */
  readonly isLate: boolean;
}

/** Where deliveries are forwarded to; and what must hold of each. */
class Target {
  readonly #machine: Machine;
  /** Those that it has accepted. */
  readonly keys = new Set<string>();
  /** The present one. */
  receiver: SimulatedProcess | undefined;
  /** When a receiver got to know that the target has accepted it, by its key. */
  readonly #known = new Map<string, number>();
  /** The numbers of those that the present receiver or an earlier one has sent. */
  readonly #arrived = new Map<string, number>();
  /** The key of each number, and the reverse. */
  readonly #numbers = new Map<number, string>();
  readonly #numberOf = new Map<string, number>();
  /** The last attempt that arrived, by key. */
  readonly #attempts = new Map<string, number>();
  #ends: readonly number[] = [];
  #failures = 0;
  #close: (() => void) | undefined;
  #isCalm = false;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#change();
  }

  async open(): Promise<void> {
    const { network, simulation, fates } = this.#machine;
    const { random } = simulation;
    this.#close ??= await network.serve(7000, ({ headers }, body) => {
      const attempt = Number(headers['x-wm-attempt']);
      const [{ key }]: [{ key: string }] = JSON.parse(body);
      const isAccepted = fates.isPlanned ? key !== '3A' || attempt > 1 : !random.chance(this.#failures);
      const delayMs = random.next() * 300;
      const sender = network.exchanges.findLast(
        (exchange) => exchange.path === '/' && exchange.body === body,
      );
      const isLate = sender?.from !== this.receiver?.name || !this.receiver?.isAlive;
      this.#take(key, Number(headers['x-wm-delivery']), attempt, { isAccepted, isLate });
      if (isAccepted && !isLate)
        simulation.after(delayMs + 100, () => this.#known.set(key, simulation.now), this.receiver);
      return { status: isAccepted ? 200 : 500, delayMs };
    });
  }

  async calm(): Promise<void> {
    this.#isCalm = true;
    this.#failures = 0;
    await this.open();
  }

  receiverEnded(): void {
    this.#ends = [...this.#ends, this.#machine.simulation.now];
  }

  /** Every few seconds it fails more, or less, or is gone. */
  #change(): void {
    const { simulation, fates } = this.#machine;
    const { random } = simulation;
    if (this.#isCalm || fates.isPlanned) return;
    this.#failures = random.one([0, 0, 0.3, 0.8]);
    if (random.chance(0.2)) {
      if (this.#close) this.#close();
      else void this.open();
      this.#close = undefined;
    }
    if (random.chance(0.03)) simulation.skew += (random.next() - 0.5) * 7_200_000;
    simulation.after(random.next() * 3000, () => this.#change());
  }

  #take(key: string, number: number, attempt: number, { isAccepted, isLate }: Arrival): void {
    const { simulation, fates, disk } = this.#machine;
    simulation.log('target', `${isAccepted ? 'accepts' : 'fails'} #${number}, ${key}, attempt ${attempt}`);
    const { diskFaults, networkFaults, powerCuts } = fates.counts;
    const keepsNotes = !disk.wasFull && (powerCuts === 0 || diskFaults === 0);
    const isNew = !this.#numberOf.has(key);
    this.#seeStored(key, number);
    if (isAccepted) this.keys.add(key);
    if (isLate) {
      this.#arrived.set(key, number);
      return;
    }
    for (const [other, its] of this.#arrived) {
      if (other === key || !shareTask(other, key)) continue;
      hold(its > number || this.keys.has(other), `#${number} is sent before #${its}, of the same task`);
      hold(
        its < number || (!isNew && (disk.wasFull || powerCuts + diskFaults > 0)),
        `#${number} is sent after #${its}, of the same task`,
      );
    }
    this.#arrived.set(key, number);
    const [lastAttempt = 0, knownAt] = [this.#attempts.get(key), this.#known.get(key)];
    if (powerCuts === 0 && !disk.wasFull)
      hold(attempt >= lastAttempt, `${key}: attempt ${lastAttempt}, then ${attempt}`);
    this.#attempts.set(key, attempt);
    if (knownAt !== undefined && networkFaults === 0 && keepsNotes)
      hold(this.#endsSoon(knownAt), `${key} was accepted, and is sent again`);
  }

  /** Whether the receiver ended before what it knew at that time was surely on the disk. */
  #endsSoon(at: number): boolean {
    return this.#ends.some((end) => at <= end && end < at + noteMs);
  }

  #see(key: string, number: number): void {
    const known = this.#numbers.get(number) ?? key;
    hold(known === key, `#${number} is one delivery: ${key}, ${known}`);
    this.#numbers.set(number, key);
  }

  #seeStored(key: string, number: number): void {
    this.#see(key, number);
    const known = this.#numberOf.get(key) ?? number;
    hold(known === number, `${key} has one number: #${number}, #${known}`);
    this.#numberOf.set(key, number);
  }

  checkDamage({ errors }: Run): void {
    const hasHoles = this.#machine.fates.struck.some(({ blow }) => blow === 'power cut, torn');
    hold(hasHoles || !/(?:is|:) damaged|cannot be read:/.test(errors), `No damage is found: ${errors}`);
  }

  /** The last state of each delivery, by its key. */
  checkLog(reader: Run): ReadonlyMap<string, string> {
    this.checkDamage(reader);
    const states = new Map<string, string>();
    const records = /"sequence":\s*(\d+).*?"idempotencyKey":\s*"(\w+)".*?"state":\s*"(\w+)"/g;
    for (const [, number, key = '', state = ''] of reader.output.matchAll(records)) {
      this.#see(key, Number(number));
      states.set(key, state);
    }
    return states;
  }

  checkStates(states: ReadonlyMap<string, string>): void {
    const { diskFaults, networkFaults } = this.#machine.fates.counts;
    if (diskFaults + networkFaults > 0) return;
    for (const [key, at] of this.#known) {
      const state = states.get(key) ?? 'forwarded';
      hold(state === 'forwarded' || this.#endsSoon(at), `${key} is ${state} in the log`);
    }
  }
}

/** By their keys. */
function shareTask(one: string, other: string): boolean {
  return [...one].some((letter) => /[A-C]/.test(letter) && other.includes(letter));
}
