// The tokens of the sample. They are random, because every web page would know a constant, and stored with the data.

import { randomText } from '#random-values.ts';
import type { World } from '#world/world.ts';
import { type SampleTokenName, sampleTokens } from './sample-ids.ts';
import type { Token } from './store.ts';

export type SampleTokens = Readonly<Record<SampleTokenName, string>>;

type Randomness = Pick<World, 'randomBytes'>;

// The table has exactly these keys.
const names = Object.keys(sampleTokens) as readonly SampleTokenName[];

/** The prefix shows the kind of token; the rest cannot be guessed. */
const randomToken = (world: Randomness, name: SampleTokenName) =>
  `${sampleTokens[name].slice(0, 4)}${randomText(world, 60)}`;

/** `stored`: the tokens in a data file. Without `world`, they are constants; those of an earlier run are not used again with it. */
export function chooseSampleTokens(world?: Randomness, stored: readonly Token[] = []): SampleTokens {
  if (!world) return sampleTokens;
  const choose = (name: SampleTokenName) => {
    const id = stored.find((token) => sampleNameOf(token) === name)?.id;
    return id === undefined || id === sampleTokens[name] ? randomToken(world, name) : id;
  };
  // With each name of the table.
  return Object.fromEntries(names.map((name) => [name, choose(name)])) as SampleTokens;
}

/**
 * Puts the chosen tokens of the sample into those of a data file. Revoked tokens stay revoked. Only Ada's is replaced if tokens are
 * random, because `wm emulator start` prints it.
 */
export function withSampleTokens(stored: readonly Token[], chosen: SampleTokens, sample: readonly Token[]) {
  const tokens = stored.map((token) => {
    const name = sampleNameOf(token);
    return name === undefined ? token : { ...token, id: chosen[name], sample: name };
  });
  if (chosen === sampleTokens || tokens.some((token) => token.sample === 'ada')) return tokens;
  return [...tokens, ...sample.filter((token) => token.sample === 'ada')];
}

/** Older data files do not name the sample's tokens, which are constants there. */
const sampleNameOf = ({ id, sample }: Token) => sample ?? names.find((name) => sampleTokens[name] === id);
