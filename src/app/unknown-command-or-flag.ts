// Creates the errors for unknown commands and flags, with a suggestion. They never repeat text that may be a secret.

import type { Command } from '#cli/command.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { findFlag, formsOf, isBooleanWord, misplacedBoolean, secretHint } from '#cli/flags/flag-forms.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { didYouMean, formatDidYouMean, nearestWords, type Synonyms } from '#contract/did-you-mean.ts';
import { commandHint, type Failure, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { type Declared, flagsOf } from './commander.ts';
import { commands, groups, lastWords } from './commands.ts';

export interface Line {
  readonly command: Command | undefined;
  readonly declared: Declared;
  readonly argv: readonly string[];
  readonly world: World;
}

/** By what to do: words after a group, or after `wm`, that have no command of their own, and flags of other programs. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  'To finish a task: wm task update ID --status Completed': [
    'task done complete close finish --done --complete --completed --close --finish',
  ],
  'wm does not delete tasks. To cancel one: wm task update ID --status Cancelled': ['task delete rm remove'],
  'To comment on a task: wm task comment ID TEXT': ['task --comment --note --notes --message'],
  'To attach a file: wm task attach ID FILE': ['task --attach --attachment --attachments'],
  'To log time: wm timelog add ID --hours HOURS': ['task --hours --log-time --time-spent'],
  'Only a suspension takes a note: wm webhook suspend ID --note TEXT': ['webhook --note --notes'],
  'To say why: wm webhook suspend ID --note TEXT. To name it: wm webhook label ID LABEL': [
    'webhook note notes',
  ],
  'To move a task: wm task update ID --add-parents FOLDER': ['webhook move', 'task move', 'wm move'],
  'wm login': ['auth login signin sign-in add', 'wm signin sign-in connect'],
  'wm logout': ['auth logout signout sign-out remove', 'wm signout sign-out disconnect'],
  'wm whoami': ['auth whoami me', 'wm me', 'user me'],
  'wm webhook resume': ['webhook unpause enable start activate reactivate unsuspend on'],
  'wm webhook suspend': ['webhook stop disable deactivate halt off mute'],
  'wm webhook create': ['webhook add new register subscribe'],
  'wm webhook get': ['webhook show view info describe status'],
  'wm webhook verify': ['webhook test ping check validate'],
  'wm webhook replay': ['webhook retry resend redeliver', 'wm retry'],
  'wm webhook trigger': ['webhook test send fire simulate'],
  'wm task get': ['task show view info describe read'],
  'wm task update': ['task edit set change modify rename assign'],
  'wm task list': ['task search find query all mine', 'wm search find'],
  'wm task create': ['task add new'],
  'wm contact list': ['wm user users person people member members contacts group groups'],
  'wm folder list': ['wm project projects folders'],
  'wm folder create': ['project create add new', 'folder add new'],
};

function meaningOf(group: string, word: string): string | undefined {
  const found = Object.keys(meanings).filter((meaning) =>
    meanings[meaning]?.some((line) => {
      const [first, ...words] = line.split(' ');
      return first === group.toLowerCase() && words.includes(word.toLowerCase());
    }),
  );
  return found[0]?.includes(': ') ? found[0] : formatDidYouMean(found);
}

/** Takes the words of the line: the unknown word, or its group and it. */
export function unknownCommand([word = '', second = '']: readonly string[]): Failure {
  const isGroup = groups.some((group) => group.word === word);
  const unknown = isGroup ? second : word;
  if (isBooleanWord(unknown)) return misplacedBoolean(unknown);
  if (isGroup) {
    const names = commands.filter(({ words }) => words.startsWith(`${word} `)).flatMap(lastWords);
    const suggestion = meaningOf(word, second) ?? didYouMean(second, names, (name) => `wm ${word} ${name}`);
    return usageError(
      `Unknown command 'wm ${word} ${second}'`,
      suggestion ?? commandHint('See: ', `wm ${word} --help`),
    );
  }
  const suggestion = meaningOf(word, second) ?? meaningOf('wm', word) ?? suggestCommand(word);
  return usageError(`Unknown command '${word}'`, suggestion ?? commandHint('See: ', 'wm --help'));
}

/** Suggests `wm webhook resume` for `wm resume`: people remember the last word of a command. */
function suggestCommand(word: string): string | undefined {
  const firstWords = [...groups.map((group) => group.word), ...commands.map(({ words }) => words)].filter(
    (words) => !words.includes(' '),
  );
  const endingWith = (last: string) =>
    commands.filter((row) => lastWords(row).includes(last)).map(({ words }) => `wm ${words}`);
  const nearest = nearestWords(word, commands.flatMap(lastWords));
  return (
    formatDidYouMean(endingWith(word.toLowerCase())) ??
    didYouMean(word, firstWords, (words) => `wm ${words}`) ??
    formatDidYouMean([...new Set(nearest.flatMap(endingWith))])
  );
}

/** `unknown`: as commander reports it. Does not show the text after =, except for a short switch, as in `-y=true`. */
export function unknownFlag(unknown: string, { command, declared, argv, world }: Line): Failure {
  // Of `-n5x`, commander reports what follows the letters that it knows.
  const isWord = (text: string) =>
    text === unknown || (/^-[^-]/.test(text) && text.endsWith(unknown.slice(1)));
  const word = argv.find(isWord) ?? unknown;
  const [flag = ''] = word.split('=');
  const isLong = flag.startsWith('--');
  const isSwitches = [...flag.slice(1)].every((letter) => findFlag(flagsOf(command), `-${letter}`));
  const shownFlag = isSwitches ? word : flag;
  const hasSpace = /\s/.test(flag);
  // An id may begin with a dash, and a comment with `- first`.
  const { args, registeredArguments: rows } = declared;
  const last = rows.at(-1);
  const row =
    isLong && !hasSpace ? undefined : (rows[args.indexOf(unknown)] ?? (last?.variadic ? last : undefined));
  const quoted = word.includes('=')
    ? row?.name()
    : quoteForShell(hasSpace ? word : shownFlag, world.process.platform);
  const suggestion = isLong
    ? (flagForName(flag, command) ?? meaningOf(argv[0] ?? '', flag) ?? suggestFlag(flag, command))
    : undefined;
  return usageError(
    `Unknown flag '${shownFlag}'`,
    secretHint(flag) ??
      suggestion ??
      (row
        ? `See --help for the flags. If it is the ${row.name()}, put it last: -- ${quoted}`
        : 'See --help.'),
  );
}

/** Suggests --folder for `--space`, if it also accepts a space. */
function flagForName(unknown: string, command: Command | undefined): string | undefined {
  for (const [name, { insteadOf }] of Object.entries(command?.flags ?? {}))
    if (insteadOf?.flags.includes(unknown))
      return `Give it with --${toKebabCase(name)}, which takes ${insteadOf.takes}.`;
  return undefined;
}

/** Flags of other programs, by the flag or argument of wm that has their meaning. */
const flagSynonyms: Synonyms = {
  addfollowers: 'follower followers watcher watchers cc',
  addparents: 'parent parents folder project',
  addresponsibles:
    'assignee assignees assign assignedto assignto assigned owner owners user users responsible',
  addshareds: 'share sharewith sharedwith',
  addsupertasks: 'subtaskof parenttask supertask supertasks',
  comment: 'note notes message text description',
  customfield: 'field cf',
  date: 'day on',
  description: 'desc body details content text',
  dryrun: 'preview whatif simulate',
  due: 'deadline duedate end enddate dueon',
  dueafter: 'after from',
  duebefore: 'before until dueby deadline due',
  event: 'eventtype type',
  events: 'eventtype eventtypes type types event',
  followers: 'watcher watchers cc',
  folder: 'project parent',
  from: 'file input csv',
  hours: 'time spent timespent duration',
  importance: 'priority prio urgency severity',
  json: 'format output',
  limit: 'max count top number perpage pagesize maxresults',
  parents: 'project',
  profile: 'account',
  quiet: 'silent',
  removeresponsibles: 'unassign removeassignee removeassignees',
  responsible: 'assignee assignees assignedto assigned owner owners user',
  responsibles: 'assignee assignees assign assignedto assignto assigned owner owners user users',
  shareds: 'share sharewith sharedwith',
  sort: 'order orderby sortby',
  start: 'startdate begin begindate starton',
  status: 'state',
  supertasks: 'subtaskof parenttask',
  title: 'search query find name subject summary contains',
  updatedsince: 'since changedsince modifiedsince',
  url: 'endpoint callback target hook hookurl',
  verbose: 'debug trace',
  watch: 'tail follow',
  web: 'open browser',
  yes: 'force confirm assumeyes',
};

/** Compares only forms with the same prefix: a typing error does not add or remove --no-. An argument may be meant too. */
function suggestFlag(flag: string, command: Command | undefined): string | undefined {
  const start = flag.startsWith('--no-') ? '--no-' : '--';
  const forms = Object.entries(flagsOf(command)).flatMap(([name, row]) => {
    const { opposite, ...others } = formsOf(name, row);
    return [...Object.values(others), row.negatable && opposite];
  });
  const names = [...forms, '--help', '--version'].flatMap((form) =>
    form?.startsWith(start) ? form.slice(start.length) : [],
  );
  const argumentNames = Object.keys(command?.arguments ?? {}).map(toKebabCase);
  const unknown = flag.slice(start.length);
  const show = (name: string) =>
    names.includes(name) ? start + name : `the argument ${name.toUpperCase()}, without a flag`;
  return argumentNames.includes(unknown)
    ? formatDidYouMean([show(unknown)])
    : didYouMean(unknown, [...names, ...argumentNames], show, flagSynonyms);
}
