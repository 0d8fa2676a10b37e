// Plans: which blow strikes at which step. Blows at every step, and pairs of blows that belong together, find what random ones seldom
// hit.

import { dirname } from 'node:path';
import { type Blow, blowsFor, type Step } from './fates.ts';

export type Plan = ReadonlyMap<number, Blow>;

/** The steps of a run with this plan. */
type StepsOf = (plan: Plan) => Promise<readonly Step[]>;

/** How soon a second blow comes. */
const nearSteps = 12;
/** Between a death before a sync and the next sync of that file. */
const mostSteps = 80;
/** What a failed call left behind may matter later: the power also goes after so many requests beyond the near steps. */
const laterRequests = 3;
/** How many lines of the next process the power may go at: by then it has told others what it found. */
const firstLines = 4;

/** A death after each step. */
export async function* deaths(stepsOf: StepsOf): AsyncIterable<Plan> {
  for (const at of (await stepsOf(new Map())).keys()) yield new Map([[at, 'dies after']]);
}

export async function* singles(stepsOf: StepsOf): AsyncIterable<Plan> {
  yield* ones(stepsOf, (blow, step) => blow !== 'freezes' && !isLikeAnother(step, blow));
}

async function* ones(
  stepsOf: StepsOf,
  isWanted: (blow: Blow, step: Step) => boolean,
): AsyncIterable<ReadonlyMap<number, Blow>> {
  for (const [at, step] of (await stepsOf(new Map())).entries())
    for (const blow of blowsFor(step)) if (isWanted(blow, step)) yield new Map([[at, blow]]);
}

/** Other power cuts leave the same, or a part of it; a death before a step is one after the step before. */
function isLikeAnother(step: Step, blow: Blow): boolean {
  if (blow === 'power cut, zeros') return step.kind !== 'write' && !/: rename /.test(step.name);
  if (blow === 'ENOSPC') return step.kind !== 'write';
  return blow === 'dies' || blow === 'power cut, kept' || blow === 'power cut, torn';
}

/**
 * - A failed call, or a lost response; and soon after it another failed call in the same folder, or a power cut
 * - A death before a sync; and before the next sync of that file a failed call on it, or a power cut once somebody has seen something
 * - Half a write, and a death or a failure before the other half
 * - A failed call; and a power cut after one of the requests that come later
 * - A failed sync of what was written, a death at once, and a power cut when the next process prints
 * - A freeze alone, which takes long
 */
export async function* pairs(stepsOf: StepsOf): AsyncIterable<Plan> {
  yield* ones(stepsOf, (blow) => blow === 'freezes');
  for (const [at, step] of (await stepsOf(new Map())).entries())
    for (const first of blowsFor(step)) {
      const isBeforeSync = first === 'dies' && isSync(step);
      if (!isBeforeSync && !['EIO', 'short', 'response lost'].includes(first)) continue;
      const steps = await stepsOf(new Map([[at, first]]));
      for (const [next, second] of secondsAfter(at, first, step, steps))
        yield new Map([
          [at, first],
          [next, second],
        ]);
      if (first !== 'EIO' || !isSync(step) || !isWritten(step, steps.slice(0, at))) continue;
      const beginning: Plan = new Map([
        [at, first],
        [at + 1, 'dies'],
      ]);
      const after = [...(await stepsOf(beginning)).entries()].slice(at + 2);
      for (const [next] of after.filter(([, { kind }]) => kind === 'other').slice(0, firstLines))
        yield new Map([...beginning, [next, 'power cut, lost']]);
    }
}

function* secondsAfter(
  at: number,
  first: Blow,
  step: Step,
  steps: readonly Step[],
): Iterable<[number, Blow]> {
  const path = pathOf(step);
  const isBeforeSync = first === 'dies';
  const end = at + 1 + (isBeforeSync ? mostSteps : nearSteps);
  for (const [next, then] of [...steps.entries()].slice(at + 1, end)) {
    if (first === 'short') {
      yield [next, 'dies'];
      if (pathOf(then) === path) yield [next, 'EIO'];
      return;
    }
    const isSame = pathOf(then) === path;
    const isNear = isBeforeSync ? isSame : path === undefined || folderOf(then) === folderOf(step);
    if (isNear && blowsFor(then).includes('EIO')) yield [next, 'EIO'];
    if ((isNear || pathOf(then) === undefined) && then.kind !== 'outside') yield [next, 'power cut, lost'];
    if (isBeforeSync && isSame && isSync(then)) return;
  }
  if (first !== 'EIO') return;
  const later = [...steps.entries()].slice(end).filter(([, { kind }]) => kind === 'request');
  for (const [next] of later.slice(0, laterRequests)) yield [next, 'power cut, lost'];
}

const isSync = ({ name }: Step): boolean => /: fsync /.test(name);

/** A file that will replace another has a new name in each run: it is left out. */
const isWritten = (sync: Step, before: readonly Step[]): boolean =>
  before.some(({ name }) => name === sync.name.replace(': fsync ', ': write '));

/** Of a file that will replace another, the other's; `undefined` for a step that is not on the disk. */
function pathOf({ name, kind }: Step): string | undefined {
  if (kind !== 'write' && kind !== 'room' && kind !== 'disk') return undefined;
  return /(\/.*?)(?:\.[\da-f]{8}-[\da-f-]{27})?$/.exec(name)?.[1];
}

function folderOf(step: Step): string | undefined {
  const path = pathOf(step);
  return path && dirname(path);
}

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
