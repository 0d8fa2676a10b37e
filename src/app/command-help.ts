// Formats `--help` for a command, a group of commands, and the program.

import type { Command } from '#cli/command.ts';
import { otherVariables, variables } from '#cli/environment-variables.ts';
import { declare, declareName, Layout } from './commander.ts';
import { type CommandRow, commands, detailsOf, groups, programSummary, sections } from './commands.ts';
import { everything, helpTopics } from './topics/topics.ts';

type Item = readonly [term: string, text: string];

/** A first page has at most this many lines on a terminal of this width. */
const firstPage = { lines: 40, width: 80 };

/** `command` is undefined for a group, and `words` is empty for the program. @throws {Failure} `usage` for an unknown topic */
export async function formatHelp(
  words: string,
  command: Command | undefined,
  argv: readonly string[],
  width: number,
): Promise<string> {
  const topic = findTopicName(argv);
  if (command === undefined && words === '') return (topic === everything ? overview : programPage)(width);
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

/** `wm --help`: the groups, and the commands outside of them except `help`, which the last line names. */
function programPage(width: number): string {
  const declared = declare({ summary: programSummary }, undefined, []).helpOption(false);
  for (const [title, rows] of Object.entries(sections)) {
    for (const first of new Set(rows.map(({ words }) => words.replace(/ .*/, '')))) {
      const { summary = '' } =
        groups.find(({ word }) => word === first) ?? rows.find(({ words }) => words === first) ?? {};
      if (first !== 'help') declared.addCommand(declareName(first, summary).helpGroup(title));
    }
  }
  const layout = new Layout(width);
  const more = `More: wm webhook suspend --help, wm --help ${everything} (everything), wm help topics`;
  return `${layout.page(declared)}\n${layout.wrap(`${more}\nTry \`wm demo\`, which needs no account.`)}\n`;
}

/** `wm --help all`. */
function overview(width: number): string {
  const declared = declare({ summary: programSummary }, undefined, []).helpOption(false);
  for (const [title, rows] of Object.entries(sections)) {
    for (const { words, summary, alias, experimental } of rows) {
      const notes = `${alias ? ` (also: ${alias})` : ''}${experimental ? ' (experimental)' : ''}`;
      declared.addCommand(declareName(words, summary + notes).helpGroup(title));
    }
  }
  const layout = new Layout(width);
  const longest = Math.max(...commands.map(({ words }) => words.length));
  const flags: Item[] = [
    ['-h, --help', "Show help: wm COMMAND --help shows a command's flags and examples"],
    ['-V, --version', 'Show the version'],
    ['--FLAG', 'Any flag without a value also has the forms --no-FLAG, --FLAG=true and --FLAG=false'],
  ];
  const environment = Object.entries(variables).map(([name, { meaning }]): Item => [name, meaning]);
  const topics = Object.entries(helpTopics).map(([name, { summary }]): Item => [name, summary]);
  return `${layout.page(declared)}
Flags
${layout.items(flags, longest)}

Environment
${layout.items(environment, longest)}
${layout.wrap(`Also: ${otherVariables.join(', ')}.`)}

Topics (wm help TOPIC)
${layout.items(topics, longest)}

Try \`wm demo\`, which needs no account.
`;
}

function groupPage(group: string, width: number): string {
  const { summary = '' } = groups.find(({ word }) => word === group) ?? {};
  const declared = declare({ words: group, summary }, undefined, []);
  for (const { words, summary, alias } of commands)
    if (words.startsWith(`${group} `))
      declared.addCommand(declareName(words.slice(group.length + 1), summary, alias));
  return new Layout(width).page(declared);
}

/** What a page shows: everything; the details, the first flags and three examples; or the same without the details. */
type Extent = 'all' | 'most' | 'first';

/** Shows everything on request, or if it fits on a first page; otherwise the essentials. Does not depend on the width. */
function commandPage(command: Command, words: string, topic: string | undefined, width: number): string {
  const row = commands.find((row) => row.words === words) ?? {};
  const all = Object.keys(command.flags);
  const format = (shows: Extent, pageWidth: number): string => {
    const layout = new Layout(pageWidth);
    const declared =
      shows === 'all'
        ? declare(row, command)
        : declare(row, command, command.firstFlags ?? all).helpOption(false);
    return layout.page(declared) + formatRest(command, row, shows, layout);
  };
  const isShort = (shows: Extent) => format(shows, firstPage.width).split('\n').length - 1 <= firstPage.lines;
  // Each flag takes a line.
  const extents: readonly Extent[] = all.length < firstPage.lines ? ['all', 'most'] : ['most'];
  return format(topic === everything ? 'all' : (extents.find(isShort) ?? 'first'), width);
}

/** Formats the help of a command below its flags. */
function formatRest(command: Command, row: Partial<CommandRow>, shows: Extent, layout: Layout): string {
  const { pipeColumns, examples, topics = {}, sendsRequests } = command;
  const { words } = row;
  const showsAll = shows === 'all';
  const order =
    pipeColumns && `In a pipe, tab-separated: ${pipeColumns.map(({ title }) => title).join(', ')}.`;
  const details = shows === 'first' ? [detailsOf(row)] : [detailsOf(row, command.details), order];
  const blocks = details.flatMap((text) => (text === undefined ? [] : `\n${layout.paragraphs(text)}\n`));
  const names = Object.keys(topics);
  const topicTitle = `Topics (wm ${words} --help TOPIC):`;
  if (showsAll && names.length > 0) {
    const items = Object.entries(topics).map(([name, { summary }]): Item => [name, summary]);
    blocks.push(`\n${layout.wrap(topicTitle)}\n${layout.items(items)}\n`);
  }
  blocks.push(`\n${layout.examples(examples, showsAll ? undefined : 3)}`);
  if (!showsAll) {
    const common = sendsRequests ? '--dry-run, --json and --yes' : '--json and --yes';
    const rest = `All flags, such as ${common}, and details: wm ${words} --help ${everything}`;
    const more = names.length > 0 ? `${rest}\n${topicTitle} ${names.join(', ')}` : rest;
    blocks.push(`\n${layout.wrap(more)}\n`);
  }
  return blocks.join('');
}
