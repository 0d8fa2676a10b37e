// Formats the help page of a topic, and suggests a topic for an unknown name.

import type { Topic, TopicPage } from '#cli/command.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { type Failure, usageError } from '#failure.ts';
import { Layout } from './commander.ts';
import { everything } from './topics/topics.ts';

const maxTermWidth = 30;

export function formatTopic(
  words: string,
  name: string,
  { summary }: Topic,
  { parts, examples }: TopicPage,
  width: number,
): string {
  const layout = new Layout(width);
  const terms = parts.flatMap((part) => part.rows ?? []).map(([term]) => term.length);
  const longest = Math.max(0, ...terms.filter((length) => length <= maxTermWidth));
  const blocks = parts.map(({ title, text, rows = [] }) =>
    [
      ...(title === undefined ? [] : [layout.paragraphs(`${title}:`)]),
      ...(text === undefined ? [] : [layout.paragraphs(text)]),
      ...(rows.length > 0 ? [layout.items(rows, longest)] : []),
    ].join('\n'),
  );
  const head = layout.paragraphs(`${words}: ${summary} (${name})`);
  return `${[head, ...blocks].join('\n\n')}\n\n${layout.examples(examples)}`;
}

export function unknownTopic(words: string, word: string, names: readonly string[]): Failure {
  const show = (name: string) => `wm ${words} --help ${name}`;
  return usageError(
    `wm ${words} has no help topic ${JSON.stringify(word)}`,
    didYouMean(word, names, show) ??
      `The topics are: ${names.join(', ')}. For all flags: ${show(everything)}`,
  );
}
