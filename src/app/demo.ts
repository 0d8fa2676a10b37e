// `wm demo`: shows the main tasks in action. Runs real `wm` commands against an emulator on a free port and prints them as
// typed. The demo plays the user who presses Allow, and the receiver of the deliveries.

import { stripVTControlCharacters } from 'node:util';
import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { untilInterrupted } from '#cli/interrupt.ts';
import { quoteForPosix } from '#cli/shell-quote.ts';
import { deliveryHeaders } from '#contract/delivery.ts';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { emulatorLog } from '#emulator/commands/flags.ts';
import type { RunningEmulator } from '#emulator/emulator.ts';
import { Failure } from '#failure.ts';
import { readHtml } from '#html-reader/read-html.ts';
import { internalCommands } from '#internal-commands.ts';
import { judgeRequest, rejectionStatus } from '#receiver/core/intake/judge-request.ts';
import { canDrawLines, widthOf } from '#terminal/line-drawing.ts';
import { wantsColour } from '#terminal/style.ts';
import { withinLimit } from '#within-limit.ts';
import type { Environment, HttpRequest, HttpResponse, World } from '#world/world.ts';

export default command({
  changes: 'nothing',
  examples: {
    'Run the demo; it takes a few seconds': 'wm demo',
    'See all that the commands print, and the delivery with its signature': 'wm demo --details',
  },
  details:
    'The demo signs in to a local emulator, updates a task, and creates and suspends a webhook. It uses no keychain, and no file outside a temporary folder, which it removes.',
  flags: {
    details: booleanFlag('Show all that the commands print, the JSON of the delivery and its signature'),
  },
  // Ctrl-C removes the folder too.
  handlesInterrupt: true,
  async run({ flags }, context) {
    const { world } = context;
    const { startEmulator } = await import('#emulator/emulator.ts');
    const secret = world.randomBytes(24).toString('base64url');
    const receiver = await startReceiver(world, secret);
    const { port } = receiver;
    const emulator = await startEmulator(world, {
      connectTo: [{ host: receivingHost, address: '127.0.0.1', port }],
      log: emulatorLog(context.report),
      compact: true,
    });
    if ('fault' in emulator) {
      await receiver.close();
      throw broken('The emulator did not start', emulator.detail);
    }
    const folder = await world.files.makeTemporaryFolder('wm-demo-');
    try {
      await untilInterrupted(context, () =>
        show(context, { emulator, folder, secret, receiver, showsAll: flags.details === true }),
      );
    } finally {
      await receiver.close();
      await emulator.close();
      await world.files.removeFolder(folder);
    }
  },
});

/** The host of the deliveries. The emulator connects it to the demo's receiver, as --connect-to does. */
const receivingHost = 'hooks.example.com';

interface Stage {
  readonly emulator: RunningEmulator;
  readonly folder: string;
  readonly secret: string;
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
  readonly showsAll: boolean;
}

async function show(context: Context, { emulator, folder, secret, receiver, showsAll }: Stage) {
  const { world, report } = context;
  const {
    WM_TOKEN: _token,
    WM_HOST: _host,
    ...environment
  } = emulatorEnvironment(world.environment, emulator, folder);
  const run = runner(context, { ...environment, WM_WEBHOOK_SECRET: secret }, showsAll);
  const showResult = async (text: string) => {
    if (!showsAll) await report.line(`  ${mark} ${text}`);
  };
  const mark = canDrawLines(world.streams.output, world.environment, world.process.platform) ? '✔' : 'OK:';
  const setStatus = async (status: string, ...more: readonly string[]) => {
    const updated = await run(['task', 'update', emulator.sampleTask, ...more, '--status', status]);
    if (!showsAll && !updated.includes(`\t${status}\t${title}\t`))
      throw broken('The task did not change', updated);
    await showResult(`${status}: ${title}`);
  };
  await report.line('An emulator of the service runs on this machine until this demo ends.');

  await step(context, 1, 'Sign in through the authorization-code flow');
  const signedIn = await run(['login', '--no-browser', '--quiet'], (address) =>
    pressAllow(world, context, address),
  );
  const [user, , account] = signedIn.trim().split('\t');
  await showResult(`Signed in: ${user}, in ${account}`);

  await step(context, 2, 'Update a task');
  await setStatus('Completed', '--title', title);

  await step(context, 3, 'Create a signed webhook');
  const url = `http://${receivingHost}/demo`;
  const here = ['--connect-to', `127.0.0.1:${receiver.port}`];
  const created = await run(['webhook', 'create', url, '--events', 'TaskStatusChanged', ...here]);
  const id = idOf(created);
  await showResult(`Active: the receiver at ${url} proved that it knows the secret`);

  await step(context, 4, 'Change the task: a delivery arrives');
  await setStatus('Active');
  const delivery = await receiver.next();
  if (showsAll) {
    await report.line(`\n  A delivery arrived: ${Buffer.from(delivery.body).toString('utf8')}`);
    await report.line(`  ${deliveryHeaders.signature}: ${delivery.signature}`);
    await report.line('  Verified: the signature is the HMAC of these bytes under the secret.');
  }
  await showResult('Delivered: TaskStatusChanged, with the right signature');

  await step(context, 5, 'Suspend the webhook and read its status back');
  await run(['webhook', 'suspend', id, '--yes']);
  await showResult(`Suspended: ${url}`);

  await step(context, 6, 'Change the task again: nothing is delivered');
  await setStatus('Deferred', '--quiet');
  await run(['webhook', 'list', '--quiet']);
  if (receiver.count() !== 1)
    throw broken('A suspended webhook delivered an event', `${receiver.count()} deliveries arrived`);
  await (showsAll ? report.line('  No second delivery arrived.') : showResult('No second delivery arrived.'));
  const shell = context.world.process.platform === 'win32' ? 'powershell' : 'bash';
  const more = showsAll ? '' : ' All that the commands print: `wm demo --details`.';
  await report.prose(
    `\nEverything worked.${more}\nNext: \`wm emulator exec -- ${shell}\` to try it yourself, \`wm login\` with your own account, or \`wm --help\`.`,
  );
}

const title = 'Ship the "a b+c&d=é" release';

async function step({ report }: Context, number: number, title: string): Promise<void> {
  await report.line(`\n${number}. ${title}`);
}

const indent = '  ';

/** Runs this program as a user would, and returns standard output. On a terminal, its tables leave room for the indent. */
function runner(context: Context, environment: Environment, showsAll: boolean) {
  const { world, report, common } = context;
  const { output: terminal } = world.streams;
  const asTerminal =
    terminal.isTerminal && showsAll
      ? [internalCommands.simulatedTerminal, String(widthOf(terminal) - indent.length)]
      : [];
  const colours: Environment = wantsColour(terminal, world.environment, common.color)
    ? {}
    : { NO_COLOR: '1' };
  return async (argv: readonly string[], onAddress?: (address: string) => Promise<void>): Promise<string> => {
    await report.line(`\n  $ wm ${argv.map(quoteForPosix).join(' ')}`);
    let output = '';
    let errors = '';
    let addressHandled: Promise<void> | undefined;
    let addressError: unknown;
    const child = world.process.start([...world.process.self, ...asTerminal, ...argv], {
      environment: { ...environment, ...colours },
      streams: 'pipe',
      onOutput: (text) => {
        output += text;
      },
      onErrors: (text) => {
        errors += text;
        const address = /^ {2}(https?:\S+)\n/m.exec(errors)?.[1];
        if (!onAddress || !address || addressHandled) return;
        addressHandled = onAddress(address).catch((error: unknown) => {
          addressError = error;
          child.kill('SIGTERM');
        });
      },
    });
    const status = await child.ended;
    await addressHandled;
    if (addressError) throw addressError;
    // Written unchanged: the command has already made its output safe for a terminal, and may use colours.
    const lines = `${errors}${output}`.trimEnd().split('\n');
    if (showsAll || status !== 0)
      await terminal.write(lines.map((line) => `${indent}${line}`.trimEnd().concat('\n')).join(''));
    if (status !== 0) throw broken(`wm ${argv.join(' ')} exited with status ${status}`, errors.trim());
    return output;
  };
}

/** The first cell of a line in a pipe; on a terminal, the value after the name `id`. */
function idOf(created: string): string {
  const id = /^(?:id:?\s+)?([A-Za-z0-9]{9,})/.exec(stripVTControlCharacters(created).trimStart())?.[1];
  if (id !== undefined) return id;
  throw broken('The new webhook has no id', created);
}

function broken(problem: string, why: string): Failure {
  return new Failure('other', {
    message: `The demo failed: ${problem}`,
    why,
    hint: 'Please report this, with the output of wm --version.',
  });
}

async function pressAllow(world: Pick<World, 'http'>, { report }: Context, address: string): Promise<void> {
  await report.line('  (In a browser you would press Allow now. The demo does it over HTTP.)');
  const page = await sendRequest(world, { method: 'GET', url: address, headers: {} });
  const pairs: string[] = [];
  let action: string | undefined;
  readHtml(new TextDecoder().decode(page.body), {
    open({ name: tag, attributes }) {
      const [type, name = '', value = ''] = ['type', 'name', 'value'].map((key) => attributes.get(key));
      if (tag === 'form') action = attributes.get('action') ?? '';
      // What a browser sends: the hidden fields, the selected account, and the button that was pressed.
      if (type === 'hidden' || attributes.has('checked') || value === 'allow')
        pairs.push([name, value].map(encodeURIComponent).join('='));
    },
  });
  if (action === undefined || !pairs.includes('decision=allow'))
    throw new Failure('other', { message: `The consent page has no Allow button (status ${page.status})` });
  const response = await sendRequest(world, {
    method: 'POST',
    url: new URL(action, address).href,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: pairs.join('&'),
  });
  const location = response.headers['location'];
  if (location === undefined)
    throw new Failure('other', { message: `The consent page responded with ${response.status}` });
  await sendRequest(world, { method: 'GET', url: location, headers: {} });
}

async function sendRequest(world: Pick<World, 'http'>, request: HttpRequest): Promise<HttpResponse> {
  const response = await world.http.send(request, { timeoutMs: 10_000, maxBytes: 1024 * 1024 });
  if ('fault' in response)
    throw new Failure('network', { message: `No response from ${request.url}`, why: response.detail });
  return response;
}

interface Delivery {
  readonly body: Uint8Array;
  readonly signature: string;
}

/** Not an example for production: a real receiver must store a delivery on disk before it responds. */
export async function startReceiver(world: Pick<World, 'server' | 'clock'>, secret: string) {
  let count = 0;
  let resolveFirst: (delivery: Delivery) => void = () => {};
  const first = new Promise<Delivery>((resolve) => {
    resolveFirst = resolve;
  });
  const listening = await world.server.listen({ host: '127.0.0.1', port: 0 }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const headers = (name: string) => String(request.headers[name.toLowerCase()] ?? '');
      const judgement = judgeRequest({ headers, body }, { secrets: [secret] });
      if (judgement.kind === 'rejection')
        return response.writeHead(rejectionStatus(judgement.reason, 503)).end();
      if (judgement.kind === 'handshake') {
        const [name, value] = judgement.responseHeader;
        return response.writeHead(200, { [name]: value }).end();
      }
      count++;
      resolveFirst({ body, signature: headers(deliveryHeaders.signature) });
      return response.writeHead(200).end();
    });
  });
  if ('fault' in listening)
    throw new Failure('other', { message: 'The receiver did not start', why: listening.detail });
  return {
    port: listening.port,
    next: () =>
      withinLimit(world.clock, 15_000, first, () => {
        throw new Failure('other', { message: 'No delivery arrived within 15 s' });
      }),
    count: () => count,
    close: () => listening.close(),
  };
}
