// `wm help`: shows topics, and prints every command as data. The parser turns `wm help COMMAND` into `wm COMMAND --help`.

import { command, listExamples } from '#cli/command.ts';
import { formatTopic } from './help-topic.ts';
import { helpWidth, printHelp } from './print-help.ts';
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
      const { summary } = topic;
      if (report.wantsJson) {
        const { parts, examples } = (await topic.load()).default;
        return void (await report.json({ name, summary, parts, examples: listExamples(examples) }));
      }
      const { world, common } = context;
      return printHelp(world, await formatTopic('wm help', name, topic, helpWidth(world)), common);
    }
    // Without --json, only words that name no command get here, and this throws.
    await report.json(await context.describeProgram(words));
  },
});
