// Formats the help page of a topic, and suggests a topic for an unknown name.

import type { Topic, TopicPage } from '#cli/command.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { type Failure, usageError } from '#failure.ts';
import { everything, formatExamples, formatItem, wrapParagraphs } from './help-layout.ts';

const maxTermWidth = 30;

export function formatTopic(
  words: string,
  name: string,
  { summary }: Topic,
  { parts, examples }: TopicPage,
  width: number,
): string {
  const terms = parts.flatMap((part) => part.rows ?? []).map(([term]) => term.length);
  // A longer term has its text below it.
  const longest = Math.max(0, ...terms.filter((length) => length <= maxTermWidth));
  const blocks = parts.map(({ title, text, rows = [] }) =>
    [
      ...(title === undefined ? [] : [wrapParagraphs(`${title}:`, width)]),
      ...(text === undefined ? [] : [wrapParagraphs(text, width)]),
      ...rows.map(([term, meaning]) =>
        formatItem(term, term.length > longest ? width : longest, meaning, width),
      ),
    ].join('\n'),
  );
  const head = wrapParagraphs(`${words}: ${summary} (${name})`, width);
  return `${[head, ...blocks].join('\n\n')}\n\n${formatExamples(examples, width)}`;
}

export function unknownTopic(words: string, word: string, names: readonly string[]): Failure {
  const show = (name: string) => `wm ${words} --help ${name}`;
  return usageError(
    `wm ${words} has no help topic ${JSON.stringify(word)}`,
    didYouMean(word, names, show) ??
      `The topics are: ${names.join(', ')}. For all flags: ${show(everything)}`,
  );
}
