// Formats the help page of a topic, and suggests a topic for an unknown name.

import type { Topic } from '#cli/command.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { type Failure, usageError } from '#failure.ts';
import { everything, Layout } from './commander.ts';

const maxTermWidth = 30;

export async function formatTopic(words: string, name: string, topic: Topic, width: number): Promise<string> {
  const { parts, examples } = (await topic.load()).default;
  const layout = new Layout(width);
  const terms = parts.flatMap((part) => part.rows ?? []).map(([term]) => term.length);
  const longest = Math.max(0, ...terms.filter((length) => length <= maxTermWidth));
  const blocks = parts.map(({ title, text, rows = [] }) =>
    [layout.paragraphs(title ? `${title}:` : ''), layout.paragraphs(text ?? ''), layout.items(rows, longest)]
      .filter(Boolean)
      .join('\n'),
  );
  const head = layout.paragraphs(`${words}: ${topic.summary} (${name})`);
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
