// `wm help`: shows topics, and prints every command as data. `wm help COMMAND` is rewritten to `wm COMMAND --help` before the
// line is parsed.

import { command } from '#cli/command.ts';
import { listExamples, type ProgramDescription } from '#cli/program-description.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { commandHint, type Failure, usageError } from '#failure.ts';
import { helpWidth } from './help-layout.ts';
import { formatTopic } from './help-topic.ts';
import { printHelp } from './print-help.ts';
import { helpTopics } from './topics/topics.ts';

export default command({
  changes: 'nothing',
  repairsSettings: true,
  examples: {
    'Show what each exit status means': 'wm help exit-codes',
    'Show the flags of a command': 'wm help task update',
    'Print every command as JSON, for programs': 'wm help --json',
  },
  details: `With --json, wm help prints every command with its arguments, flags, exit statuses and variables; wm help COMMAND prints one
command or group; wm help TOPIC prints the parts of the page.`,
  topics: helpTopics,
  arguments: { topic: { help: 'the words of a command, or a topic', optional: true, many: true } },
  async run({ arguments: { topic: words } }, context) {
    const [name = ''] = words;
    const topic = words.length === 1 && Object.hasOwn(helpTopics, name) ? helpTopics[name] : undefined;
    const { report } = context;
    if (topic !== undefined) {
      const page = (await topic.load()).default;
      if (report.wantsJson) {
        const { parts, examples } = page;
        const { summary } = topic;
        return void (await report.json({ name, summary, parts, examples: listExamples(examples) }));
      }
      const { world, common } = context;
      return printHelp(world, formatTopic('wm help', name, topic, page, helpWidth(world)), common);
    }
    const program = await context.describeProgram();
    if (report.wantsJson) return void (await report.json(selectCommands(program, words)));
    throw unknownTopic(program, words);
  },
});

function selectCommands(program: ProgramDescription, words: readonly string[]): ProgramDescription {
  if (words.length === 0) return program;
  const line = ['wm', ...words].join(' ');
  const commands = program.commands.filter(
    ({ command: name, aliases }) => name === line || aliases?.includes(line) || name.startsWith(`${line} `),
  );
  if (commands.length === 0) throw unknownTopic(program, words);
  return { ...program, groups: program.groups.filter(({ word }) => word === words[0]), commands };
}

function unknownTopic({ groups, commands }: ProgramDescription, words: readonly string[]): Failure {
  const line = words.join(' ');
  const names = [
    ...Object.keys(helpTopics),
    ...groups.map(({ word }) => word),
    ...commands.map(({ command: name }) => name.slice('wm '.length)),
  ];
  return usageError(
    `Unknown command or help topic '${line}'`,
    didYouMean(line, names, (name) => `wm help ${name}`) ?? commandHint('See: ', 'wm help --help'),
  );
}
