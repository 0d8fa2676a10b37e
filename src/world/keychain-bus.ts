// Whether anybody answers on the session bus for the secret service: asked of it before the keychain's library is, since
// that waits for a silent one without an end, in a thread that keeps even process.exit waiting. Speaks just enough
// D-Bus to be greeted and to ping.

import type { Environment } from './world.ts';

const authenticated = /^OK /;
const methodReturn = 2;
const error = 3;

/** False only for silence: whatever else is wrong, the library says it at once, and better. */
export async function answers(environment: Environment, withinMs: number): Promise<boolean> {
  const address = addressOf(environment);
  if (address === undefined) return true;
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (answered: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    };
    const timer = setTimeout(() => end(false), withinMs);
    socket.on('error', () => end(true)).on('close', () => end(true));
    const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
    socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    let greeted = false;
    let got: Uint8Array = new Uint8Array();
    socket.on('data', (bytes: Uint8Array) => {
      got = Buffer.concat([got, bytes]);
      if (!greeted) {
        const line = Buffer.from(got).indexOf('\r\n');
        if (line === -1) return;
        if (!authenticated.test(Buffer.from(got.subarray(0, line)).toString('latin1'))) return end(true);
        greeted = true;
        got = got.subarray(line + 2);
        socket.write('BEGIN\r\n');
        socket.write(call(1, 'org.freedesktop.DBus', 'org.freedesktop.DBus', 'Hello'));
        socket.write(call(2, 'org.freedesktop.secrets', 'org.freedesktop.DBus.Peer', 'Ping'));
      }
      if (repliesIn(got) >= 2) end(true);
    });
  });
}

/** The socket of the bus; nothing where it is reached in another way. */
function addressOf(environment: Environment): string | undefined {
  const said = environment['DBUS_SESSION_BUS_ADDRESS'];
  if (!said) return `${environment['XDG_RUNTIME_DIR']}/bus`;
  const [, kind, name] = /^unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(said) ?? [];
  if (name === undefined) return undefined;
  const path = decodeURIComponent(name);
  return kind === 'path' ? path : `\0${path}`;
}

/** A method call without arguments, little-endian. */
function call(serial: number, destination: string, of: string, member: string): Uint8Array {
  const path = '/org/freedesktop/DBus';
  const fields: [number, string, string][] = [
    [1, 'o', path],
    [2, 's', of],
    [3, 's', member],
    [6, 's', destination],
  ];
  let array = Buffer.alloc(0);
  for (const [code, type, text] of fields) {
    const head = Buffer.from([code, 1, type.charCodeAt(0), 0, 0, 0, 0, 0]);
    head.writeUInt32LE(text.length, 4);
    array = Buffer.concat([padded(array), head, Buffer.from(`${text}\0`)]);
  }
  const fixed = Buffer.alloc(16);
  fixed.set([0x6c, 1, 0, 1]);
  fixed.writeUInt32LE(serial, 8);
  fixed.writeUInt32LE(array.length, 12);
  return padded(Buffer.concat([fixed, array]));
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(eights(bytes.length) - bytes.length)]);
}

const eights = (length: number) => Math.ceil(length / 8) * 8;

/** Whole replies, good or bad; signals between them do not count. */
function repliesIn(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let replies = 0;
  for (let at = 0; at + 16 <= bytes.length; ) {
    const little = bytes[at] === 0x6c;
    const [body, fields] = [view.getUint32(at + 4, little), view.getUint32(at + 12, little)];
    const type = bytes[at + 1];
    at += eights(16 + fields) + body;
    if (at <= bytes.length && (type === methodReturn || type === error)) replies++;
  }
  return replies;
}
