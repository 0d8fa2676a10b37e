// `wm webhook listen --forward-to`, whose sender repeats what was not answered, and whose target fails at times. It holds:
// - Every delivery that the sender saw accepted reaches the target.
// - The target gets what was sent, under one number each, and for each task in order.
// - The sender gets 200 or 503, and never a status that suspends the webhook.

import { sign } from '#contract/signature.ts';
import { hold } from './events.ts';
import type { Machine, Run } from './machine.ts';

const secret = 'canary-webhook-secret-1';
const url = 'http://127.0.0.1:4020/hook';
const listen = [
  ...['webhook', 'listen', '--journal', '/home/journal', '--secret-file', '/home/secret', '--port', '4020'],
  ...['--forward-to', 'http://127.0.0.1:7000/', '--max-attempts', '1000', '--drain', '1'],
];

export async function receiver(machine: Machine): Promise<void> {
  const { simulation, fates, disk } = machine;
  const { random } = simulation;
  disk.put('/home/secret', secret);
  const target = new Target(machine);
  await target.open();
  const sender = new Sender(machine);
  if (!fates.isPlanned && random.chance(0.5)) disk.freeBytes = 150_000;
  fates.isHarsh = true;
  const sending = sender.send(fates.isPlanned ? 8 : 10 + random.below(150));
  const lives = fates.isPlanned ? 1 : 1 + random.below(5);
  for (let life = 1; life <= lives; life++) {
    const run = machine.wm(listen);
    simulation.after(300 + random.next() * 5000, () => run.process.interrupt('SIGTERM'), run.process);
    simulation.after(12_000, () => run.process.kill(), run.process);
    const status = await run.ended;
    const isExcused = fates.counts.diskFaults > 0;
    hold(isExcused || [0, 137, 143].includes(status), `It starts and stops: ${status} ${run.errors}`);
    await simulation.pass(random.next() * 2000);
  }
  fates.isHarsh = false;
  await target.calm();
  await endCalmly(machine, machine.wm(listen), async () => {
    await sending;
    await simulation.pass(5000);
    const missing = () => [...sender.accepted].filter((key) => !target.keys.has(key));
    for (let waits = 0; missing().length > 0 && waits < 1000; waits++) await simulation.pass(5000);
    hold(missing().length === 0, `Every accepted delivery arrives: ${missing()}`);
  });
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
      all.push(this.#deliver(`IEAAAAAQKQAAAAA${random.one(['A', 'B', 'C'])}`, number));
    }
    await Promise.all(all);
  }

  async #deliver(taskId: string, number: number): Promise<void> {
    const { simulation } = this.#machine;
    const { random } = simulation;
    const key = `${taskId}/${number}`;
    const title = 'x'.repeat(random.below(random.chance(0.3) ? 9000 : 60));
    const body = JSON.stringify([
      { taskId, webhookId: 'IEAAAAAQJAAAAAAB', eventType: 'TaskTitleChanged', title, key },
    ]);
    for (let attempt = 1; attempt <= 8 && !this.accepted.has(key); attempt++) {
      // Twice at once, as after a time limit of the service.
      await Promise.all([this.#attempt(key, body), random.chance(0.05) && this.#attempt(key, body)]);
      if (!this.accepted.has(key)) await simulation.pass(random.next() * 4000);
    }
  }

  async #attempt(key: string, body: string): Promise<void> {
    const headers = {
      'Content-Type': 'application/json',
      'X-Hook-Signature': sign(secret, body),
      'Idempotency-Key': key,
    };
    const request = { method: 'POST', url, headers, body };
    const result = await this.#machine.network
      .httpFor(undefined)
      .send(request, { timeoutMs: 10_000, maxBytes: 1e6 });
    if ('fault' in result) return;
    hold([200, 503].includes(result.status), `The sender gets 200 or 503, not ${result.status}`);
    if (result.status === 200) this.accepted.add(key);
  }
}

/** Where deliveries are forwarded to. */
class Target {
  readonly #machine: Machine;
  /** The accepted ones: their numbers by their keys. */
  readonly keys = new Map<string, number>();
  readonly #numbers = new Map<number, string>();
  #failures = 0;
  #close: (() => void) | undefined;
  #isCalm = false;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#change();
  }

  async open(): Promise<void> {
    const { network, simulation } = this.#machine;
    const { random } = simulation;
    this.#close ??= await network.serve(7000, ({ headers }, body) => {
      const isAccepted = !random.chance(this.#failures);
      this.#take(body, Number(headers['x-wm-delivery']), isAccepted);
      return { status: isAccepted ? 200 : 500, delayMs: random.next() * 300 };
    });
  }

  async calm(): Promise<void> {
    this.#isCalm = true;
    this.#failures = 0;
    await this.open();
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

  #take(body: string, number: number, isAccepted: boolean): void {
    const [{ key, taskId }]: [{ key: string; taskId: string }] = JSON.parse(body);
    this.#machine.simulation.log('target', `${isAccepted ? 'accepts' : 'fails'} #${number}, ${key}`);
    hold(
      (this.#numbers.get(number) ?? key) === key,
      `#${number} is one delivery: ${key}, ${this.#numbers.get(number)}`,
    );
    this.#numbers.set(number, key);
    hold(
      [...this.#numbers].every(([other, its]) => its !== key || other === number),
      `${key} has one number`,
    );
    if (!isAccepted) return;
    const isFirst = !this.keys.has(key);
    const later = [...this.keys].find(([other, its]) => other.startsWith(taskId) && its > number);
    hold(!isFirst || later === undefined, `#${number} comes before #${later}, of the same task`);
    this.keys.set(key, number);
  }
}
