// Formats `--help` for a command, a group of commands, and the program.

import type { Command } from '#cli/command.ts';
import { sharedFlags } from '#cli/flags/common-flags.ts';
import { type Flags, toKebabCase } from '#cli/flags/flag.ts';
import { type CommandRow, commands, detailsOf, formatFirstPage, formatOverview, groups } from './commands.ts';
import { formatFlag, formatUsage } from './format-usage.ts';
import {
  everything,
  firstPage,
  formatExamples,
  formatItem,
  wrap,
  wrapAfterLabel,
  wrapParagraphs,
} from './help-layout.ts';

/** `command` is undefined for a group, and `words` is empty for the program. @throws {Failure} `usage` for an unknown topic */
export async function formatHelp(
  words: string,
  command: Command | undefined,
  argv: readonly string[],
  width: number,
): Promise<string> {
  const topic = findTopicName(argv);
  if (words === '') return topic === everything ? formatOverview(width) : formatFirstPage(width);
  if (command === undefined) return groupPage(words, width);
  return (await topicPage(command, words, topic, width)) ?? commandPage(command, words, topic, width);
}

/** The word after `--help`, if any. */
function findTopicName(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((text) => text === '--help' || text === '-h' || text === '--');
  const next = argv[index + 1];
  return index === -1 || argv[index] === '--' || next === undefined || next.startsWith('-')
    ? undefined
    : next;
}

/** `--help dates` shows a topic instead of the command's own page. */
async function topicPage(
  { topics }: Command,
  words: string,
  name: string | undefined,
  width: number,
): Promise<string | undefined> {
  if (topics === undefined || name === undefined || name === everything) return undefined;
  const { formatTopic, unknownTopic } = await import('./help-topic.ts');
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) throw unknownTopic(words, name, Object.keys(topics));
  return formatTopic(`wm ${words}`, name, topic, (await topic.load()).default, width);
}

type Item = readonly [term: string, text: string];
type Section = readonly [title: string, items: readonly Item[]];

const helpItem: Item = ['-h, --help', 'Show help'];

function groupPage(group: string, width: number): string {
  const rows = commands.filter(({ words }) => words.startsWith(`${group} `));
  const items = rows.map(
    ({ words, alias, summary }): Item => [nameOf(words.slice(group.length + 1), alias), summary],
  );
  const summary = groups.find(({ word }) => word === group)?.summary ?? '';
  return formatTop(`wm ${group} COMMAND [arguments] [flags]`, summary, width, [
    ['Flags:', [helpItem]],
    ['Commands:', items],
  ]);
}

function nameOf(words: string, alias: string | undefined): string {
  return alias === undefined ? words : `${words}|${alias}`;
}

/** Formats the usage, the summary and the sections in the same two columns. */
function formatTop(usage: string, summary: string, width: number, sections: readonly Section[]): string {
  const shown = sections.filter(([, items]) => items.length > 0);
  const longest = Math.max(0, ...shown.flatMap(([, items]) => items.map(([term]) => term.length)));
  const texts = shown.map(
    ([title, items]) =>
      `\n${title}\n${items.map(([term, text]) => `${formatItem(term, longest, text, width)}\n`).join('')}`,
  );
  return `Usage: ${wrapAfterLabel('Usage: ', usage, width)}\n\n${wrap(summary, width)}\n${texts.join('')}`;
}

/** What a page shows: everything; the details, the first flags and three examples; or the same without the details. */
type Extent = 'all' | 'most' | 'first';

/** Shows everything on request, or if it fits on a first page; otherwise the essentials. Does not depend on the width. */
function commandPage(command: Command, words: string, topic: string | undefined, width: number): string {
  const format = (shows: Extent, pageWidth: number): string =>
    formatStart(command, words, shows, pageWidth) + formatRest(command, words, shows, pageWidth);
  const isShort = (shows: Extent) => format(shows, firstPage.width).split('\n').length - 1 <= firstPage.lines;
  const fitting = topic === everything ? 'all' : (['all', 'most'] as const).find(isShort);
  return format(fitting ?? 'first', width);
}

function rowOf(words: string): Partial<CommandRow> {
  return commands.find((row) => row.words === words) ?? {};
}

function formatStart(command: Command, words: string, shows: Extent, width: number): string {
  const { arguments: rows, flags, firstFlags } = command;
  const { summary = '', alias } = rowOf(words);
  const first: readonly string[] = firstFlags ?? Object.keys(flags);
  const showsAll = shows === 'all';
  const own = Object.entries(flags).filter(([name]) => showsAll || first.includes(name));
  const shared = Object.entries(sharedFlags(command)).filter(([name]) => !(name in flags));
  return formatTop(`wm ${nameOf(words, alias)} ${formatUsage(rows)}`, summary, width, [
    [
      'Arguments:',
      Object.entries(rows).map(([name, { help }]) => [
        toKebabCase(name).toUpperCase(),
        help.charAt(0).toUpperCase() + help.slice(1),
      ]),
    ],
    ['Flags:', flagItems(own)],
    ['Common flags:', showsAll ? [...flagItems(shared), helpItem] : []],
  ]);
}

function flagItems(rows: readonly (readonly [string, Flags[string]])[]): Item[] {
  return rows.map(([name, flag]) => [formatFlag(name, flag), flag.help]);
}

/** Formats the help of a command besides its flags. */
function formatRest(command: Command, words: string, shows: Extent, width: number): string {
  const { pipeColumns, examples, topics, sendsRequests } = command;
  const showsAll = shows === 'all';
  const order =
    pipeColumns && `In a pipe, tab-separated: ${pipeColumns.map(({ title }) => title).join(', ')}.`;
  const row = rowOf(words);
  const details = shows !== 'first' ? [detailsOf(row, command.details), order] : [detailsOf(row)];
  const paragraphs = details
    .filter((text) => text !== undefined)
    .map((text) => `\n${wrapParagraphs(text, width)}\n`);
  const topicLines = topics && showsAll ? `\n${topicList(topics, words, width)}\n` : '';
  const page = `${paragraphs.join('')}${topicLines}\n${formatExamples(examples, width, showsAll ? undefined : 3)}`;
  if (showsAll) return page;
  const common = sendsRequests ? '--dry-run, --json and --yes' : '--json and --yes';
  const rest = [
    `All flags, such as ${common}, and details: wm ${words} --help ${everything}`,
    ...(topics ? [`Topics (wm ${words} --help TOPIC): ${Object.keys(topics).join(', ')}`] : []),
  ];
  return `${page}\n${rest.map((line) => wrap(line, width)).join('\n')}\n`;
}

function topicList(topics: NonNullable<Command['topics']>, words: string, width: number): string {
  const longest = Math.max(...Object.keys(topics).map((name) => name.length));
  const rows = Object.entries(topics).map(([name, { summary }]) => formatItem(name, longest, summary, width));
  return [wrap(`Topics (wm ${words} --help TOPIC):`, width), ...rows].join('\n');
}
