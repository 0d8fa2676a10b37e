// Runs scenarios: `npm run simulate -- --help`. What does not hold is printed with the command that repeats it, and the exit status is 1.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { apply } from './apply.ts';
import { bulk } from './bulk.ts';
import { emulator } from './emulator.ts';
import { Simulation } from './events.ts';
import { Fates } from './fates.ts';
import { login } from './login.ts';
import { Machine } from './machine.ts';
import { deaths, type Plan, pairs, planFrom, singles, textOf } from './plans.ts';
import { Killed } from './process.ts';
import { receiver } from './receiver.ts';
import { renewal } from './renewal.ts';
import { rotation } from './rotation.ts';
import { suspend } from './suspend.ts';
import { taskUndo } from './task-undo.ts';
import { undo } from './undo.ts';

const usage = `Usage: npm run simulate -- [SCENARIO...] [options]

  --known       the seeds of test/simulation/seeds.txt
  --deaths      a death after each step
  --singles     one blow at each step, each kind of blow in turn
  --pairs       two blows that belong together, such as a failed sync and a failed cut
  --every=N     only each Nth run of --deaths, --singles and --pairs
  --seeds=N     N seeds, from --seed on (default: 1)
  --for=1h      seeds for this long: s, m or h
  --seed=N      one seed, or the first of --seeds and --for
  --plan=PLAN   what a run of --singles or --pairs has printed
  --first       stops at the first failure
  --trace       prints what each process does, in order
`;

const scenarios = { apply, bulk, emulator, login, receiver, renewal, rotation, suspend, taskUndo, undo };
type Scenario = keyof typeof scenarios;
const isScenario = (name: string): name is Scenario => name in scenarios;
const mostFailures = 5;

interface Outcome {
  readonly simulation: Simulation;
  readonly fates: Fates;
  readonly failure: unknown;
}

/** Gets the errors that nobody awaits. */
let current: Simulation | undefined;
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error) => {
    if (!(error instanceof Killed)) current?.fail(error);
  });

async function run(scenario: Scenario, seed: number, plan?: Plan, keepsTrace = false): Promise<Outcome> {
  const simulation = new Simulation(seed, keepsTrace);
  current = simulation;
  const fates = new Fates(simulation.randomOf('fates'), plan);
  try {
    await simulation.run(scenarios[scenario](new Machine(simulation, fates)));
    return { simulation, fates, failure: undefined };
  } catch (failure) {
    return { simulation, fates, failure };
  }
}

/** The runs that the options ask for. */
async function* runsOf(scenario: Scenario, options: Options): AsyncIterable<{ seed: number; plan?: Plan }> {
  const stepsOf = async (plan: Plan) => (await run(scenario, 0, plan)).fates.steps;
  const first = Number(options.seed ?? 1);
  if (options.plan !== undefined) yield { seed: 0, plan: planFrom(options.plan) };
  if (options.known) for (const known of knownRuns(scenario)) yield known;
  let number = 0;
  const isChosen = () => number++ % Number(options.every ?? 1) === 0;
  if (options.deaths) for await (const plan of deaths(stepsOf)) if (isChosen()) yield { seed: 0, plan };
  if (options.singles) for await (const plan of singles(stepsOf)) if (isChosen()) yield { seed: 0, plan };
  if (options.pairs) for await (const plan of pairs(stepsOf)) if (isChosen()) yield { seed: 0, plan };
  const isOne = options.seed !== undefined && options.for === undefined;
  const count =
    options.for === undefined ? Number(options.seeds ?? (isOne ? 1 : 0)) : Number.POSITIVE_INFINITY;
  const end = performance.now() + milliseconds(options.for ?? '1000h');
  for (let seed = first; seed < first + count && performance.now() < end; seed++) yield { seed };
}

/** Lines such as `renewal --seed=58 # why it failed`. */
function* knownRuns(scenario: Scenario): Iterable<{ seed: number; plan?: Plan }> {
  for (const line of readFileSync('test/simulation/seeds.txt', 'utf8').split('\n')) {
    const [, name, seed, plan] = /^(\w+) --(?:seed=(\d+)|plan='(.*?)')/.exec(line) ?? [];
    if (name === scenario)
      yield plan === undefined ? { seed: Number(seed) } : { seed: 0, plan: planFrom(plan) };
  }
}

function milliseconds(text: string): number {
  const [, count, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  return Number(count) * { s: 1000, m: 60_000, h: 3_600_000 }[unit === 's' || unit === 'm' ? unit : 'h'];
}

/** Returns how many runs failed. */
async function simulate(scenario: Scenario, options: Options): Promise<number> {
  const totals = {
    runs: 0,
    failures: 0,
    events: 0,
    deaths: 0,
    powerCuts: 0,
    diskFaults: 0,
    networkFaults: 0,
  };
  const began = performance.now();
  let digest = '';
  for await (const { seed, plan } of runsOf(scenario, options)) {
    const { simulation, fates, failure } = await run(scenario, seed, plan, options.trace);
    for (const line of simulation.trace) process.stdout.write(`${line}\n`);
    totals.runs++;
    totals.events += simulation.events;
    for (const name of ['deaths', 'powerCuts', 'diskFaults', 'networkFaults'] as const)
      totals[name] += fates.counts[name];
    digest = simulation.digest(digest);
    if (failure === undefined || ++totals.failures > mostFailures) continue;
    const repeat = plan ? `--plan='${textOf(plan)}'` : `--seed=${seed}`;
    const why = failure instanceof Error ? failure.stack : failure;
    process.stdout.write(
      `npm run simulate -- ${scenario} ${repeat} --trace\n${String(why).slice(0, 1500)}\n`,
    );
    if (options.first) break;
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  process.stdout.write(`${JSON.stringify({ scenario, ...totals, seconds, digest })}\n`);
  return totals.failures;
}

type Options = ReturnType<typeof parse>['values'];

function parse() {
  const [flag, text] = [{ type: 'boolean' } as const, { type: 'string' } as const];
  return parseArgs({
    allowPositionals: true,
    options: {
      ...{ help: flag, first: flag, known: flag, deaths: flag, singles: flag, pairs: flag, trace: flag },
      ...{ seed: text, seeds: text, for: text, plan: text, every: text },
    },
  });
}

const { values, positionals } = parse();
const chosen = positionals.length > 0 ? positionals : Object.keys(scenarios);
const unknown = chosen.filter((name) => !isScenario(name));
if (values.help || unknown.length > 0) {
  process.stdout.write(`${unknown.map((name) => `No such scenario: ${name}\n`).join('')}${usage}`);
  process.exit(values.help ? 0 : 2);
}
let failures = 0;
for (const scenario of chosen.filter(isScenario)) failures += await simulate(scenario, values);
// Whatever has been written to a pipe is read first.
process.stdout.write('', () => process.exit(failures > 0 ? 1 : 0));
