// `wm emulator start`: the service on this machine, in the foreground, until Ctrl-C.

import { command } from '../command.ts';
import { cannotStart, emulatorFlags, emulatorOptions } from './flags.ts';

export default command({
  examples: [
    { does: 'Start it, on a fixed port', line: 'wm emulator start --port 4010' },
    { does: 'For a program: one line of JSON, then silence', line: 'wm emulator start --json' },
    { does: 'One that remembers', line: 'wm emulator start --data emulator.json' },
    {
      does: 'With webhooks that arrive at a program on this machine',
      line: 'wm emulator start --connect-to hooks.example.com=127.0.0.1:8080',
    },
  ],
  details: `This is an emulator: it keeps its own sample account in memory (or in --data FILE), follows the contract
strictly, and assumes what the contract does not show: \`wm emulator assumptions\` and its front page list all of it.
Nothing it does reaches the real service. In tests, \`wm emulator clock\`, \`fault\`, \`emit\`, \`deliveries\`, \`user\`,
\`token\`, \`revoke\` and \`reset\` steer it. --json prints the addresses of all three data centres.`,
  arguments: {},
  flags: emulatorFlags,
  endsOnInterrupt: true,
  async run({ flags }, { world, report }) {
    const interrupted = new Promise<void>((resolve) => world.process.onInterrupt(() => resolve()));
    const { startEmulator } = await import('../../emulator/emulator.ts');
    const running = await startEmulator(world, emulatorOptions(flags));
    if ('fault' in running) throw cannotStart(flags, running);
    const { authUrl, baseUrl, host, clientId, clientSecret, token, dataCentres, sampleTask } = running;
    if (report.wantsJson) {
      const ready = { authUrl, baseUrl, host, clientId, clientSecret, token, dataCentres };
      await world.streams.output.write(`${JSON.stringify(ready)}\n`);
    } else {
      await report.line(
        [
          flags.data === undefined
            ? 'An emulator of the service. Its account is a sample, and lives as long as this process.'
            : `An emulator of the service. Its account is kept in ${flags.data}.`,
          '',
          `  API             ${baseUrl}`,
          `  authorization   ${authUrl}`,
          `  client id       ${clientId}`,
          `  client secret   ${clientSecret}`,
          `  permanent token ${token}`,
          `  a task          ${sampleTask}`,
          '',
          'In another terminal:',
          '',
          `  export WM_HOST=${host} WM_TOKEN=${token}`,
          `  wm task update ${sampleTask} --status Completed`,
          '',
          'Ctrl-C ends it.',
        ].join('\n'),
      );
    }
    await interrupted;
    await running.close();
  },
});
