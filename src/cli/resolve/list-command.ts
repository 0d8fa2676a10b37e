// The command that lists what could have been meant, for the hint of a name that is not found.

import { type FormatContext, formatCommandWith } from '../format-command.ts';
import { quoteForShell } from '../shell-quote.ts';

/** With a text: only those whose name contains it. */
export type ListCommand = (text?: string) => string;

/** `words` are those of the list, and `flag` is the one that takes a part of a name: `folder list`, `title`. */
export function createListCommand(context: FormatContext, words: string, flag: string): ListCommand {
  return (text) => {
    if (text === undefined) return formatCommandWith(context, words, []);
    const value = quoteForShell(text, context.world.process.platform);
    return formatCommandWith(context, words, [], `--${flag} ${value}`);
  };
}
