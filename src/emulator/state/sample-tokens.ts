// The tokens of the sample. They are random, because every web page would know a constant, and stored with the data.

import { randomText } from './random-text.ts';
import { type SampleTokenName, sampleTokens } from './sample-ids.ts';
import type { Token } from './store.ts';

export type SampleTokens = Readonly<Record<SampleTokenName, string>>;

// The table has exactly these keys.
const names = Object.keys(sampleTokens) as readonly SampleTokenName[];

/** The prefix shows the kind of token; the rest cannot be guessed. */
const randomToken = (name: SampleTokenName) => `${sampleTokens[name].slice(0, 4)}${randomText(60)}`;

/** `stored`: the tokens in a data file. Constants of an earlier run are only used again if `fixed`. */
export function chooseSampleTokens(fixed: boolean, stored: readonly Token[] = []): SampleTokens {
  if (fixed) return sampleTokens;
  const choose = (name: SampleTokenName) => {
    const id = stored.find((token) => sampleNameOf(token) === name)?.id;
    return id === undefined || id === sampleTokens[name] ? randomToken(name) : id;
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
const sampleNameOf = ({ id, sample }: Token): SampleTokenName | undefined =>
  sample ?? names.find((name) => sampleTokens[name] === id);
