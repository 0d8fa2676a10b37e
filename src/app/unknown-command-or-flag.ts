// Creates the errors for unknown commands and flags, with a suggestion. They never repeat text that may be a secret.

import type { Command } from '#cli/command.ts';
import { isBooleanWord, misplacedBoolean, secretHint } from '#cli/flags/boolean-flags.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import type { FlagForms } from '#cli/flags/flag-forms.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { didYouMean, formatDidYouMean, nearestWords } from '#contract/did-you-mean.ts';
import { commandHint, type Failure, usageError } from '#failure.ts';
import { commands, groups } from './commands.ts';

const finishHint = 'To finish a task: wm task update ID --status Completed';
const deleteHint = 'wm does not delete tasks. To cancel one: wm task update ID --status Cancelled';

/** Hints for words after `wm task` that are separate commands in other programs. */
const otherWays: ReadonlyMap<string, string> = new Map([
  ...['done', 'complete', 'close', 'finish'].map((word) => [word, finishHint] as const),
  ...['delete', 'rm', 'remove'].map((word) => [word, deleteHint] as const),
]);

/** The words that people try, by the command that they need: the first words of a line, or all of it. */
const intents: Readonly<Record<string, readonly string[]>> = {
  'wm login': ['auth login', 'auth signin', 'auth sign-in', 'auth add', 'signin', 'sign-in', 'connect'],
  'wm logout': [
    'auth logout',
    'auth signout',
    'auth sign-out',
    'auth remove',
    'signout',
    'sign-out',
    'disconnect',
  ],
  'wm whoami': ['auth whoami', 'auth me', 'me', 'user me'],
  'wm webhook resume': ['unpause', 'enable', 'start', 'activate', 'reactivate', 'unsuspend', 'on'].map(
    ofWebhook,
  ),
  'wm webhook suspend': ['stop', 'disable', 'deactivate', 'halt', 'off', 'mute'].map(ofWebhook),
  'wm webhook create': ['add', 'new', 'register', 'subscribe'].map(ofWebhook),
  'wm webhook get': ['show', 'view', 'info', 'describe'].map(ofWebhook),
  'wm webhook verify': ['test', 'ping', 'check', 'validate'].map(ofWebhook),
  'wm webhook trigger': ['test', 'send', 'fire', 'simulate'].map(ofWebhook),
  'wm task get': ['show', 'view', 'info', 'describe', 'read'].map(ofTask),
  'wm task update': ['edit', 'set', 'change', 'modify', 'rename', 'assign', 'move'].map(ofTask),
  'wm task list': ['search', 'find', 'query', 'all', 'mine'].map(ofTask).concat('search', 'find'),
  'wm task create': ['add', 'new'].map(ofTask),
  'wm contact list': [
    'user',
    'users',
    'person',
    'people',
    'member',
    'members',
    'contacts',
    'group',
    'groups',
  ],
  'wm folder list': ['project', 'projects', 'folders'],
  'wm folder create': ['project create', 'project add', 'project new', 'folder add', 'folder new'],
};

function ofWebhook(word: string): string {
  return `webhook ${word}`;
}

function ofTask(word: string): string {
  return `task ${word}`;
}

/** The commands for the first two words, or for the first alone. */
function findIntended(words: readonly string[]): readonly string[] {
  for (const said of [words.join(' '), words[0] ?? '']) {
    const found = Object.keys(intents).filter((line) => intents[line]?.includes(said.toLowerCase()));
    if (found.length > 0) return found;
  }
  return [];
}

/** The typed words begin with the unknown word, or with its group. */
export function unknownCommand([word = '', second = '']: readonly string[]): Failure {
  const isGroup = groups.some((group) => group.word === word);
  const unknown = isGroup ? second : word;
  if (isBooleanWord(unknown)) return misplacedBoolean(unknown);
  if (isGroup) {
    const elsewhere = word === 'task' ? otherWays.get(second.toLowerCase()) : undefined;
    const intended = formatDidYouMean(findIntended([word, second]));
    const better = elsewhere ?? intended;
    if (better !== undefined) return usageError(`Unknown command 'wm ${word} ${second}'`, better);
    const names = [...commandsByLastWord(word).keys()];
    return usageError(
      `Unknown command 'wm ${word} ${second}'`,
      didYouMean(second, names, (name) => `wm ${word} ${name}`) ?? commandHint('See: ', `wm ${word} --help`),
    );
  }
  const meant = formatDidYouMean(findIntended([word, second])) ?? suggestCommand(word);
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
  const suggestion = isLong ? (flagForName(flag, command) ?? suggestFlag(flag, forms)) : undefined;
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

/** Compares only forms with the same prefix: a typing error does not add or remove --no-. */
function suggestFlag(flag: string, forms: FlagForms): string | undefined {
  const start = flag.startsWith('--no-') ? '--no-' : '--';
  const names = [...forms.keys(), '--help', '--version']
    .filter((one) => one.startsWith(start))
    .map((one) => one.slice(start.length));
  return didYouMean(flag.slice(start.length), names, (name) => start + name);
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
