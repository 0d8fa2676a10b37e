// The words that were typed, put into the order that the parser takes: help behind what it is about, flags behind the
// words of the command.

import { commands, groups } from './commands.ts';
import { kebab } from './flag.ts';
import { commonFlags } from './flags.ts';

/** `wm help webhook list` is `wm webhook list --help`; flags in front of the words go behind them. */
export function arrange(typed: readonly string[]): string[] {
  if (typed[0] === 'help') {
    const asked = typed.slice(1);
    // Help for what does not exist would hide that it does not.
    return isKnown(asked.filter((word) => !word.startsWith('-'))) ? [...asked, '--help'] : asked;
  }
  let words = 0;
  while (typed[words]?.startsWith('-') && typed[words] !== '--') {
    const flag = Object.entries(commonFlags).find(([name]) => typed[words] === `--${kebab(name)}`)?.[1];
    words += flag?.placeholder === undefined ? 1 : 2;
  }
  if (words === 0 || words >= typed.length) return [...typed];
  const rest = typed.slice(words);
  const end = rest.indexOf('--');
  const at = end === -1 ? rest.length : end;
  return [...rest.slice(0, at), ...typed.slice(0, words), ...rest.slice(at)];
}

function isKnown([first, second]: readonly string[]): boolean {
  if (first === undefined || commands.some(({ words }) => words === first)) return true;
  if (second === undefined) return groups.some(({ word }) => word === first);
  return commands.some(({ words, alias }) => {
    const [group, name] = words.split(' ');
    return group === first && (name === second || (alias !== undefined && alias === second));
  });
}
