// Which tokens the sample has: random ones, made at the first start and kept with the data, because a constant would be
// known to every web page; or, for tests that name them, the constants of sample-ids.ts.

import { randomText } from './random-text.ts';
import { type SampleTokenName, sampleTokens } from './sample-ids.ts';
import type { Token } from './store.ts';

export type SampleTokens = Readonly<Record<SampleTokenName, string>>;

/** Letters that say what it is, then as many random ones as no one guesses. */
const randomToken = (name: SampleTokenName) => `${sampleTokens[name].slice(0, 4)}${randomText(60)}`;

/** `kept`: the tokens in a data file. A constant that an earlier run has left there is only used again if `fixed`. */
export function chooseSampleTokens(fixed: boolean, kept: readonly Token[] = []): SampleTokens {
  if (fixed) return sampleTokens;
  const choose = (name: SampleTokenName) => {
    const id = kept.find((token) => sampleNameOf(token) === name)?.id;
    return id === undefined || id === sampleTokens[name] ? randomToken(name) : id;
  };
  return {
    ada: choose('ada'),
    ben: choose('ben'),
    adaOfTwo: choose('adaOfTwo'),
    adaInEurope: choose('adaInEurope'),
    version3Refresh: choose('version3Refresh'),
  };
}

/**
 * The tokens of a data file, with those of the sample as they were chosen. One that was revoked stays so; but where Ada's is
 * none of a constant text, she gets another, since it is the one that `wm emulator start` prints.
 */
export function withSampleTokens(
  kept: readonly Token[],
  chosen: SampleTokens,
  sample: readonly Token[],
): readonly Token[] {
  const tokens = kept.map((token) => {
    const name = sampleNameOf(token);
    return name === undefined ? token : { ...token, id: chosen[name], sample: name };
  });
  if (chosen === sampleTokens || tokens.some((token) => token.sample === 'ada')) return tokens;
  return [...tokens, ...sample.filter((token) => token.sample === 'ada')];
}

function sampleNameOf({ id, sample }: Token): SampleTokenName | undefined {
  if (sample !== undefined) return sample;
  // Before a data file named them, the constants were all that it could hold.
  for (const name in sampleTokens) if (isName(name) && sampleTokens[name] === id) return name;
  return undefined;
}

function isName(text: string): text is SampleTokenName {
  return Object.hasOwn(sampleTokens, text);
}
