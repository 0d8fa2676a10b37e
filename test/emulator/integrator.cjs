// A program of someone else's, as the emulator sees it: sends the requests of a file byte by byte to WM_HOST, with WM_TOKEN,
// and prints what it reads. Knows nothing of this project.

const { connect } = require('node:net');
const { readFileSync } = require('node:fs');

const { WM_HOST, WM_TOKEN, WM_CLIENT_ID, WM_CLIENT_SECRET } = process.env;
const [host, port] = WM_HOST.split(':');
const { headers, steps } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const kept = { token: WM_TOKEN, clientId: WM_CLIENT_ID, clientSecret: WM_CLIENT_SECRET };

const filled = (text) =>
  text.replace(/\{(\w+)(\|encoded)?\}/g, (whole, name, encoded) => {
    if (!(name in kept)) return whole;
    return encoded ? encodeURIComponent(kept[name]) : kept[name];
  });

/** The response to bytes that are sent as they are, on a connection of its own. */
function exchange(bytes) {
  return new Promise((resolve, reject) => {
    const pieces = [];
    const socket = connect(Number(port), host, () => socket.write(bytes));
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', reject);
    socket.on('end', () => resolve(Buffer.concat(pieces)));
  });
}

async function send({ request, headers: more = [], body }) {
  const [method, target] = filled(request).split(/ (.*)/s);
  const content = body === undefined ? undefined : Buffer.from(filled(body));
  const lines = [
    // The token endpoint is beside the API.
    `${method} ${target.startsWith('/oauth2') ? '' : '/api/v4'}${target} HTTP/1.1`,
    `Host: ${WM_HOST}`,
    'Connection: close',
    ...[...headers, ...more].map(filled),
    ...(content === undefined ? [] : [`Content-Length: ${content.length}`]),
  ];
  const whole = await exchange(
    Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content ?? Buffer.alloc(0)]),
  );
  const end = whole.indexOf('\r\n\r\n');
  return { status: Number(whole.subarray(9, 12)), body: whole.subarray(end + 4) };
}

const at = (value, place) => place.split('.').reduce((inner, name) => inner?.[name], value);

async function main() {
  for (const step of steps) {
    const { status, body } = await send(step);
    const read = { request: step.request, status };
    if (step.bytes !== undefined) read.bytes = body.toString();
    const decoded = step.bytes === undefined ? JSON.parse(body.toString()) : undefined;
    for (const [name, place] of Object.entries(step.keeps ?? {})) kept[name] = at(decoded, place);
    read.values = (step.reads ?? []).map(({ place, expected }) => ({
      place,
      actual: at(decoded, place),
      expected: typeof expected === 'string' ? filled(expected) : expected,
    }));
    if (decoded?.errorDescription !== undefined) read.says = decoded.errorDescription;
    process.stdout.write(`${JSON.stringify(read)}\n`);
  }
}

main();
