// Creates the errors for unknown commands and flags, with a suggestion. They never repeat text that may be a secret.

import type { Command } from '#cli/command.ts';
import { isBooleanWord, misplacedBoolean, secretHint } from '#cli/flags/boolean-flags.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import type { FlagForms } from '#cli/flags/flag-forms.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { didYouMean, formatDidYouMean, nearestWords } from '#contract/did-you-mean.ts';
import { commandHint, type Failure, usageError } from '#failure.ts';
import { commands, groups } from './commands.ts';
import { flagSynonyms } from './flag-synonyms.ts';

const finish = 'To finish a task: wm task update ID --status Completed';
const cancel = 'wm does not delete tasks. To cancel one: wm task update ID --status Cancelled';

/** Words and flags of other programs. The words after a group that have no command of their own, and its flags, with what to do instead. */
const hints: Readonly<Record<string, string>> = {
  'task done complete close finish': finish,
  'task delete rm remove': cancel,
  'task --done --complete --completed --close --finish': finish,
  'task --comment --note --notes --message': 'To comment on a task: wm task comment ID TEXT',
  'task --attach --attachment --attachments': 'To attach a file: wm task attach ID FILE',
  'task --hours --log-time --time-spent': 'To log time: wm timelog add ID --hours HOURS',
  'webhook --note --notes': 'Only a suspension takes a note: wm webhook suspend ID --note TEXT',
};

/** By the command that they need: words after a group, or (after `wm`) the first word of a line. */
const intents: Readonly<Record<string, readonly string[]>> = {
  'wm login': ['auth login signin sign-in add', 'wm signin sign-in connect'],
  'wm logout': ['auth logout signout sign-out remove', 'wm signout sign-out disconnect'],
  'wm whoami': ['auth whoami me', 'wm me', 'user me'],
  'wm webhook resume': ['webhook unpause enable start activate reactivate unsuspend on'],
  'wm webhook suspend': ['webhook stop disable deactivate halt off mute'],
  'wm webhook create': ['webhook add new register subscribe'],
  'wm webhook get': ['webhook show view info describe'],
  'wm webhook verify': ['webhook test ping check validate'],
  'wm webhook trigger': ['webhook test send fire simulate'],
  'wm task get': ['task show view info describe read'],
  'wm task update': ['task edit set change modify rename assign move'],
  'wm task list': ['task search find query all mine', 'wm search find'],
  'wm task create': ['task add new'],
  'wm contact list': ['wm user users person people member members contacts group groups'],
  'wm folder list': ['wm project projects folders'],
  'wm folder create': ['project create add new', 'folder add new'],
};

function contains(line: string, group: string, word: string): boolean {
  const [first, ...words] = line.split(' ');
  return first === group && words.includes(word.toLowerCase());
}

function hintFor(group: string, word: string): string | undefined {
  return Object.entries(hints).find(([line]) => contains(line, group, word))?.[1];
}

/** The commands for the first two words, or for the first alone. */
function findIntended(first: string, second: string): readonly string[] {
  const of = (group: string, word: string) =>
    Object.keys(intents).filter((command) => intents[command]?.some((line) => contains(line, group, word)));
  const found = of(first.toLowerCase(), second);
  return found.length > 0 ? found : of('wm', first);
}

/** The typed words begin with the unknown word, or with its group. */
export function unknownCommand([word = '', second = '']: readonly string[]): Failure {
  const isGroup = groups.some((group) => group.word === word);
  const unknown = isGroup ? second : word;
  if (isBooleanWord(unknown)) return misplacedBoolean(unknown);
  if (isGroup) {
    const better = hintFor(word, second) ?? formatDidYouMean(findIntended(word, second));
    if (better !== undefined) return usageError(`Unknown command 'wm ${word} ${second}'`, better);
    const names = [...commandsByLastWord(word).keys()];
    return usageError(
      `Unknown command 'wm ${word} ${second}'`,
      didYouMean(second, names, (name) => `wm ${word} ${name}`) ?? commandHint('See: ', `wm ${word} --help`),
    );
  }
  const meant = formatDidYouMean(findIntended(word, second)) ?? suggestCommand(word);
  return usageError(`Unknown command '${word}'`, meant ?? commandHint('See: ', 'wm --help'));
}

/** Suggests `wm webhook resume` for `wm resume`: people remember the last word of a command. */
function suggestCommand(word: string): string | undefined {
  const alone = [...groups.map((group) => group.word), ...commands.map(({ words }) => words)];
  const inGroups = commandsByLastWord();
  const inFull = (last: string) => inGroups.get(last) ?? [];
  const show = (words: string) => `wm ${words}`;
  return (
    formatDidYouMean(inFull(word.toLowerCase()).map(show)) ??
    didYouMean(
      word,
      alone.filter((words) => !words.includes(' ')),
      show,
    ) ??
    formatDidYouMean([...new Set(nearestWords(word, [...inGroups.keys()]).flatMap(inFull))].map(show))
  );
}

/** The words of all grouped commands, or of one group's, by last word and by alias. */
function commandsByLastWord(only?: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { words, alias } of commands) {
    const [group, name] = words.split(' ');
    if (only !== undefined && group !== only) continue;
    for (const last of name === undefined ? [] : [name, alias]) {
      if (last !== undefined) found.set(last, [...(found.get(last) ?? []), words]);
    }
  }
  return found;
}

/** `word`: as typed. Does not show the text after =, except for a short switch, as in `-y=true`. */
export function unknownFlag(
  word: string,
  forms: FlagForms,
  command: Command | undefined,
  typed: readonly string[],
  platform: NodeJS.Platform,
): Failure {
  const [flag = ''] = word.split('=');
  const isLong = flag.startsWith('--');
  const isSwitches = [...flag.slice(1)].every((letter) => forms.has(`-${letter}`));
  const whole = isSwitches ? word : flag;
  const what = `Unknown flag '${whole}'`;
  const hint = secretHint(flag);
  if (hint !== undefined) return usageError(what, hint);
  const suggestion = isLong
    ? (flagForName(flag, command) ?? hintFor(typed[0] ?? '', flag) ?? suggestFlag(flag, forms, command))
    : undefined;
  const isText = /\s/.test(flag);
  const shown = isText ? word : whole;
  const argument = isLong && !isText ? undefined : argumentAt(typed, shown, forms, command);
  const quoted = word.includes('=') ? argument : quoteForShell(shown, platform);
  return usageError(
    what,
    suggestion ??
      (argument === undefined
        ? 'See --help.'
        : `See --help for the flags. If it is the ${argument}, put it last: -- ${quoted}`),
  );
}

/** Suggests --folder for `--space`, if it also accepts a space. */
function flagForName(typed: string, command: Command | undefined): string | undefined {
  for (const [name, { insteadOf }] of Object.entries(command?.flags ?? {}))
    if (insteadOf?.flags.includes(typed))
      return `Give it with --${toKebabCase(name)}, which takes ${insteadOf.takes}.`;
  return undefined;
}

/** Compares only forms with the same prefix: a typing error does not add or remove --no-. An argument may be meant too. */
function suggestFlag(flag: string, forms: FlagForms, command: Command | undefined): string | undefined {
  const start = flag.startsWith('--no-') ? '--no-' : '--';
  const names = [...forms.keys(), '--help', '--version']
    .filter((one) => one.startsWith(start))
    .map((one) => one.slice(start.length));
  const known = Object.keys(command?.arguments ?? {}).map(toKebabCase);
  const typed = flag.slice(start.length);
  const show = (name: string) =>
    names.includes(name) ? start + name : `the argument ${name.toUpperCase()}, without a flag`;
  return known.includes(typed)
    ? formatDidYouMean([show(typed)])
    : didYouMean(typed, [...names, ...known], show, flagSynonyms);
}

/** The argument that the text may be: an id may begin with a dash, and a comment with `- first`. */
function argumentAt(
  typed: readonly string[],
  text: string,
  forms: FlagForms,
  command: Command | undefined,
): string | undefined {
  const rows = Object.entries(command?.arguments ?? {});
  const before = typed.slice(0, typed.indexOf(text));
  const operands = before.filter(
    (one, at) => !one.startsWith('-') && forms.get(before[at - 1] ?? '')?.placeholder === undefined,
  );
  const last = rows.at(-1);
  const words = commands.find(({ words }) => `${operands.join(' ')} `.startsWith(`${words} `))?.words ?? '';
  const place = operands.length - words.split(' ').length;
  const [name] = rows[place] ?? (last?.[1].many ? last : []);
  return name === undefined ? undefined : toKebabCase(name).toUpperCase();
}
