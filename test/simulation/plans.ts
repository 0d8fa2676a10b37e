// Plans: which blow strikes at which step. Blows at every step, and pairs of them, find what random ones seldom hit.

import { type Blow, blowsFor, type Step } from './fates.ts';

export type Plan = ReadonlyMap<number, Blow>;

/** The steps of a run with this plan. */
type StepsOf = (plan: Plan) => Promise<readonly Step[]>;

/** A failed call or a death, and soon after it another failed call or a power cut. */
const firsts: readonly Blow[] = ['EIO', 'dies', 'response lost'];
const seconds: readonly Blow[] = ['EIO', 'power cut, lost', 'power cut, torn'];
/** How soon. */
const pairSteps = 12;
/** What a failed call left behind may matter later: the power also goes after so many requests beyond these steps. */
const laterRequests = 3;

/** Left out for a single blow: they leave what other power cuts or a death leave. Who waits for a frozen process takes long. */
const mixtures: readonly Blow[] = ['power cut, kept', 'power cut, torn'];
const slow: readonly Blow[] = ['freezes'];

export async function* singles(stepsOf: StepsOf): AsyncIterable<Plan> {
  yield* ones(stepsOf, (blow) => !mixtures.includes(blow) && !slow.includes(blow));
}

async function* ones(stepsOf: StepsOf, isWanted: (blow: Blow) => boolean): AsyncIterable<Plan> {
  for (const [at, step] of (await stepsOf(new Map())).entries())
    for (const blow of blowsFor(step).filter(isWanted)) yield new Map([[at, blow]]);
}

/** And single blows that are slow. */
export async function* pairs(stepsOf: StepsOf): AsyncIterable<Plan> {
  yield* ones(stepsOf, (blow) => slow.includes(blow));
  for await (const plan of singles(stepsOf)) {
    const [[at, blow] = [0, undefined]] = plan;
    if (!blow || !firsts.includes(blow)) continue;
    const steps = await stepsOf(plan);
    for (let next = at + 1; next < Math.min(steps.length, at + 1 + pairSteps); next++)
      for (const second of seconds.filter((one) => blowsFor(steps[next] ?? other).includes(one)))
        yield new Map([...plan, [next, second]]);
    if (blow !== 'EIO') continue;
    const later = [...steps.entries()].slice(at + 1 + pairSteps).filter(([, { kind }]) => kind === 'request');
    for (const [next] of later.slice(0, laterRequests)) yield new Map([...plan, [next, 'power cut, lost']]);
  }
}

const other: Step = { name: '', kind: 'other' };

export function textOf(plan: Plan): string {
  return [...plan].map(([at, blow]) => `${at}:${blow}`).join(';');
}

export function planFrom(text: string): Plan {
  const all = blowsFor({ name: '', kind: 'write', mayFreeze: true }).concat(
    blowsFor({ name: '', kind: 'outside' }),
  );
  const entries = text.split(';').map((part) => {
    const [at, name] = part.split(':');
    const blow = all.find((one) => one === name);
    if (!blow) throw new Error(`No such blow: ${part}`);
    return [Number(at), blow] as const;
  });
  return new Map(entries);
}
