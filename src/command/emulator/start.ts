// `wm emulator start`: the service on this machine, in the foreground, until Ctrl-C.

import { command } from '../command.ts';
import { cannotListen, emulatorFlags, emulatorOptions } from './flags.ts';

export default command({
  examples: [
    { does: 'Start it, on a fixed port', line: 'wm emulator start --port 4010' },
    { does: 'For a program: one line of JSON, then silence', line: 'wm emulator start --json' },
    {
      does: 'With webhooks that arrive at a program on this machine',
      line: 'wm emulator start --connect-to hooks.example.com=127.0.0.1:8080',
    },
  ],
  details: `This is an emulator: it keeps its own sample account in memory, follows the contract strictly, and assumes what
the contract does not show (its page lists what). Nothing it does reaches the real service.`,
  arguments: {},
  flags: emulatorFlags,
  endsOnInterrupt: true,
  async run({ flags }, { world, report }) {
    const interrupted = new Promise<void>((resolve) => world.process.onInterrupt(() => resolve()));
    const { startEmulator } = await import('../../emulator/emulator.ts');
    const running = await startEmulator(world, emulatorOptions(flags));
    if ('fault' in running) throw cannotListen(flags.port, running.detail);
    const { authUrl, baseUrl, host, clientId, clientSecret, token, dataCentres, sampleTask } = running;
    if (report.wantsJson) {
      const ready = { authUrl, baseUrl, host, clientId, clientSecret, token, dataCentres };
      await world.streams.output.write(`${JSON.stringify(ready)}\n`);
    } else {
      await report.line(
        [
          'An emulator of the service. Its account is a sample, and lives as long as this process.',
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
