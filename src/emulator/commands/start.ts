// `wm emulator start`: runs the emulator in the foreground until Ctrl-C.

import { command } from '#cli/command.ts';
import { addressFlag } from '#cli/flags/entry-flags.ts';
import type { ParsedFlags } from '#cli/flags/flag.ts';
import { flagWords, formatCommandWith } from '#cli/format-command.ts';
import { setVariables, withVariables } from '#cli/shell-quote.ts';
import { isLoopback } from '#contract/hook-url.ts';
import { usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import type { RunningEmulator } from '../emulator.ts';
import { emulatorFlags, firstFlags } from './flags.ts';
import { withEmulator } from './with-emulator.ts';

export default command({
  changes: 'this machine',
  examples: {
    'Start it on a fixed port': 'wm emulator start --port 4010',
    'Print one line of JSON, for a program': 'wm emulator start --json',
    'Keep the data between runs': 'wm emulator start --data emulator.json',
    'Start with your own application and your own data':
      'wm emulator start --client-id my-app --redirect-uri https://app.example.com/callback --seed seed.yaml',
    'In a container that others reach by its name':
      'wm emulator start --host 0.0.0.0 --port 4010 --allow-host emulator',
    'Use https, for a client that requires it': 'wm emulator start --tls',
    'Stand in for a host name that a program has built in':
      'wm emulator start --tls --port 443 --allow-host api.example.com',
    'Send deliveries to a program on this machine':
      'wm emulator start --connect-to hooks.example.com=127.0.0.1:8080',
  },
  details: `The emulator keeps a sample account in memory (or in --data FILE) and never contacts the real service. It follows the
contract strictly. Where the contract shows nothing, it makes assumptions: \`wm emulator assumptions\` and its front page
list them.

Control a running emulator with the other \`wm emulator\` commands. --json prints the addresses of all three data centres.
--tls prints the path of the certificate that clients have to trust, for this machine and each --allow-host; the file is removed when the emulator ends.`,
  firstFlags: [...firstFlags, 'host'],
  flags: {
    ...emulatorFlags,
    host: addressFlag('Listen on this address, such as 0.0.0.0 in a container (default: 127.0.0.1)'),
  },
  handlesInterrupt: true,
  async run({ flags }, context) {
    const { world, report } = context;
    context.ignoreHangupWithoutTerminal();
    const { host = '127.0.0.1' } = flags;
    const isOpen = !isLoopback(host);
    // A user of another machine could otherwise reach services that only this machine should.
    if (isOpen && flags.allowLocalHooks)
      throw usageError(
        `--allow-local-hooks cannot be combined with --host ${host}: other machines could reach services of this one`,
        'Name the receivers with --connect-to HOST=ADDRESS:PORT.',
      );
    const interrupted = new Promise<void>((resolve) => world.process.onInterrupt(() => resolve()));
    const folder = flags.tls ? await world.files.makeTemporaryFolder('wm-emulator-') : undefined;
    try {
      await withEmulator(context, flags, { address: host, folder }, async (running, certificate) => {
        if (isOpen)
          await report.warn(
            `wm: Listening on ${host}: every machine that can reach it can use and control this emulator, without a token`,
          );
        // Not redacted: these sample credentials are meant to be seen, although the environment may hold them too.
        if (report.wantsJson) {
          const line = `${formatReadyLine(running, certificate?.path)}\n`;
          await world.streams.output.write(line, { showsSecrets: true });
        } else await report.withSecrets().prose(formatGreeting(running, flags, certificate?.path, world));
        await interrupted;
      });
    } finally {
      if (folder !== undefined) await world.files.removeFolder(folder);
    }
  },
});

function formatReadyLine(running: RunningEmulator, certificate: string | undefined): string {
  const { authUrl, baseUrl, clientId, clientSecret, token } = running;
  // WM_HOST needs the scheme: a loopback name alone means http.
  const dataCentres = running.dataCentres.map((dataCentre) =>
    certificate === undefined ? dataCentre : { ...dataCentre, host: dataCentre.authUrl },
  );
  const host = certificate === undefined ? running.host : authUrl;
  return JSON.stringify({ authUrl, baseUrl, host, clientId, clientSecret, token, dataCentres, certificate });
}

function formatGreeting(
  running: RunningEmulator,
  { data, seed, allowHost = [] }: ParsedFlags<typeof emulatorFlags>,
  certificate: string | undefined,
  world: Pick<World, 'process'>,
): string {
  const { authUrl, baseUrl, host, clientId, clientSecret, redirectUri, token, sampleTask } = running;
  const trust = certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate };
  // A separate profile replaces no sign-in to the real service.
  const login = formatCommandWith(
    { common: {}, world },
    'login',
    [],
    ...['--profile', 'emulator', '--auth-url', authUrl],
    ...flagWords('--client-id', clientId),
    // Without it, wm login asks for a redirect to a port that the application does not accept.
    ...flagWords('--redirect-uri', redirectUri),
  );
  const variables = {
    WM_HOST: certificate === undefined ? host : authUrl,
    WM_EMULATOR_URL: new URL(baseUrl).origin,
    WM_TOKEN: token,
    ...trust,
  };
  return [
    data === undefined
      ? `An emulator of the service. ${seed === undefined ? 'Its sample account' : `The data of ${seed === '-' ? 'standard input' : seed}`} lasts as long as this process.`
      : `An emulator of the service. It stores its data in ${data}.`,
    '',
    `  API           ${baseUrl}`,
    `  authorization ${authUrl}`,
    `  client id     ${clientId}`,
    `  client secret ${clientSecret}`,
    `  token         ${token}`,
    ...describeSamples(running),
    ...(certificate === undefined ? [] : [`  certificate   ${certificate}`]),
    '',
    'In another terminal, use the token, which does not expire:',
    '',
    `  ${setVariables(variables, world)}`,
    `  ${sampleTask ? formatCommandWith({ common: {}, world }, 'task update', [sampleTask], '--status', 'Completed') : 'wm whoami'}`,
    '',
    'Or sign in (the secret is a sample; wm prompts for a real one, unseen):',
    '',
    `  ${withVariables({ ...trust, WM_CLIENT_SECRET: clientSecret }, login, world)}`,
    '',
    ...(certificate === undefined
      ? []
      : [
          'For other clients, set SSL_CERT_FILE, CURL_CA_BUNDLE or REQUESTS_CA_BUNDLE to the certificate. It is valid for',
          `${['localhost', ...allowHost, '127.0.0.1'].join(', ')} and ::1. Its file is removed when the emulator ends.`,
          '',
        ]),
    'Press Ctrl-C to stop.',
  ].join('\n');
}

/** A seed need not have all three. */
function describeSamples({ sampleTask, sampleFolder, sampleSpace }: RunningEmulator): readonly string[] {
  const ids = Object.entries({ task: sampleTask, folder: sampleFolder, space: sampleSpace });
  const samples = ids.flatMap(([kind, id]) => (id ? [`${kind} ${id}`] : []));
  return samples.length === 0 ? [] : [`  samples       ${samples.join(', ')}`];
}
