// Formats `--help` for a command, a group of commands, and the program.

import type { Command } from '#cli/command.ts';
import { otherVariables, variables } from '#cli/environment-variables.ts';
import { declare, declareName, everything, Layout } from './commander.ts';
import { type CommandRow, commands, detailsOf, groups, programSummary, sections } from './commands.ts';
import { helpTopics } from './topics/topics.ts';

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
  const name = findTopicName(argv);
  if (command === undefined) {
    const layout = new Layout(width);
    if (words !== '') return groupPage(layout, words);
    return name === everything ? overview(layout) : programPage(layout);
  }
  const { topics } = command;
  if (topics === undefined || name === undefined || name === everything)
    return commandPage(command, words, name === everything, width);
  const { formatTopic, unknownTopic } = await import('./help-topic.ts');
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) throw unknownTopic(words, name, Object.keys(topics));
  return formatTopic(`wm ${words}`, name, topic, width);
}

/** The word after `--help`, if any: `--help dates` shows a topic instead of the command's own page. */
function findTopicName(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((text) => text === '--help' || text === '-h' || text === '--');
  const next = index === -1 || argv[index] === '--' ? undefined : argv[index + 1];
  return next?.startsWith('-') ? undefined : next;
}

/** `wm --help`: the groups, and the commands outside of them except `help`, which the last line names. */
function programPage(layout: Layout): string {
  const page = sectionsPage(layout, (rows) => {
    const firstWords = new Set(rows.map(({ words }) => words.replace(/ .*/, '')));
    firstWords.delete('help');
    return [...firstWords].map((first): Item => [first, summaryOf(first)]);
  });
  const more = `More: wm webhook suspend --help, wm --help ${everything} (everything), wm help topics`;
  return `${page}\n${layout.wrap(`${more}\nTry \`wm demo\`, which needs no account.`)}\n`;
}

function summaryOf(first: string): string {
  const row = groups.find(({ word }) => word === first) ?? commands.find(({ words }) => words === first);
  return row?.summary ?? '';
}

function overview(layout: Layout): string {
  const page = sectionsPage(layout, (rows) =>
    rows.map(({ words, summary, alias, experimental }): Item => {
      const notes = `${alias ? ` (also: ${alias})` : ''}${experimental ? ' (experimental)' : ''}`;
      return [words, summary + notes];
    }),
  );
  const longest = Math.max(...commands.map(({ words }) => words.length));
  const flags: Item[] = [
    ['-h, --help', "Show help: wm COMMAND --help shows a command's flags and examples"],
    ['-V, --version', 'Show the version'],
    ['--FLAG', 'Most flags without a value also have the forms --no-FLAG, --FLAG=true and --FLAG=false'],
  ];
  const environment = Object.entries(variables).map(([name, { meaning }]): Item => [name, meaning]);
  const topics = Object.entries(helpTopics).map(([name, { summary }]): Item => [name, summary]);
  return `${page}
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

function sectionsPage(layout: Layout, itemsOf: (rows: readonly CommandRow[]) => readonly Item[]): string {
  const declared = declare({ summary: programSummary }, undefined, []).helpOption(false);
  for (const [title, rows] of Object.entries(sections))
    for (const item of itemsOf(rows)) declared.addCommand(declareName(...item).helpGroup(title));
  return layout.page(declared);
}

function groupPage(layout: Layout, group: string): string {
  const declared = declare({ words: group, summary: summaryOf(group) }, undefined, []);
  for (const { words, summary, alias } of commands)
    if (words.startsWith(`${group} `))
      declared.addCommand(declareName(words.slice(group.length + 1), summary, alias));
  return layout.page(declared);
}

/** What a page shows: everything; the details, the first flags and three examples; or the same without the details. */
type Extent = 'all' | 'most' | 'first';

/** Shows everything on request, or if it fits on a first page; otherwise the essentials. Does not depend on the width. */
function commandPage(command: Command, words: string, isAll: boolean, width: number): string {
  const row = commands.find((row) => row.words === words) ?? {};
  const names = Object.keys(command.flags);
  const { firstFlags = names } = command;
  const format = (shows: Extent, pageWidth: number): string => {
    const layout = new Layout(pageWidth);
    const declared = declare(row, command, shows === 'all' ? undefined : firstFlags);
    if (shows !== 'all') declared.helpOption(false);
    return layout.page(declared) + formatRest(command, row, shows, layout);
  };
  const isShort = (shows: Extent) => format(shows, firstPage.width).split('\n').length - 1 <= firstPage.lines;
  // Each flag takes a line, and declaring many takes time.
  const extents: readonly Extent[] = names.length < firstPage.lines ? ['all', 'most'] : ['most'];
  return format(isAll ? 'all' : (extents.find(isShort) ?? 'first'), width);
}

function formatRest(command: Command, row: Partial<CommandRow>, shows: Extent, layout: Layout): string {
  const { pipeColumns, examples, sendsRequests } = command;
  const { words } = row;
  const showsAll = shows === 'all';
  const topics = Object.entries(command.topics ?? {}).map(([name, { summary }]): Item => [name, summary]);
  const order =
    pipeColumns && `In a pipe, tab-separated: ${pipeColumns.map(({ title }) => title).join(', ')}.`;
  const details = shows === 'first' ? [detailsOf(row)] : [detailsOf(row, command.details), order];
  const blocks = details.flatMap((text) => (text === undefined ? [] : `\n${layout.paragraphs(text)}\n`));
  const topicTitle = `Topics (wm ${words} --help TOPIC):`;
  if (showsAll) {
    if (topics.length > 0) blocks.push(`\n${layout.wrap(topicTitle)}\n${layout.items(topics)}\n`);
    return `${blocks.join('')}\n${layout.examples(examples)}`;
  }
  const common = sendsRequests ? '--dry-run, --json and --yes' : '--json and --yes';
  const rest = `All flags, such as ${common}, and details: wm ${words} --help ${everything}`;
  const names = topics.map(([name]) => name).join(', ');
  const more = layout.wrap(names === '' ? rest : `${rest}\n${topicTitle} ${names}`);
  return `${blocks.join('')}\n${layout.examples(examples, 3)}\n${more}\n`;
}
