// Standard input, output and error, each opened on first use: even a look at standard input can keep the process alive.

import { closeSync, constants, createReadStream, fstatSync, openSync, type Stats, writeSync } from 'node:fs';
import { hasCode } from './file-error.ts';
import { createTerminalInput } from './terminal-input.ts';
import type { Input, Output, Streams, TerminalInput } from './world.ts';

type Descriptor = 0 | 1 | 2;

export function createStreams(): Streams {
  return {
    input: createInput(),
    output: createOutput(1, () => process.stdout),
    errors: createOutput(2, () => process.stderr),
  };
}

function createInput(): Input {
  let terminalInput: TerminalInput | undefined;
  return {
    get isTerminal() {
      return isTerminal(0);
    },
    async readAll(maxBytes) {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const piece of openInput()) {
        const chunk = Buffer.from(piece);
        length += chunk.length;
        if (length > maxBytes) throw new RangeError(`standard input holds more than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      return new Uint8Array(Buffer.concat(chunks));
    },
    get terminal() {
      if (isTerminal(0)) terminalInput ??= createTerminalInput(() => isTerminal(0));
      return terminalInput;
    },
    get raw() {
      return openInput();
    },
  };
}

/** A file of the system, such as /proc/kmsg, has no size, and its read may never return: opens it anew, not to wait for it. */
function openInput(): NodeJS.ReadableStream {
  const stats = process.platform === 'linux' ? statOf(0) : undefined;
  if (!stats?.isFile() || stats.size > 0) return process.stdin;
  return createReadStream('', { fd: openSync('/proc/self/fd/0', constants.O_NONBLOCK) });
}

/** Windows reports EOF. */
const closedPipe = ['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED'];

function createOutput(descriptor: 1 | 2, getStream: () => NodeJS.WriteStream): Output {
  let gone = false;
  let isAbandoned = false;
  const giveUps = new Set<() => void>();
  let stream: NodeJS.WriteStream | undefined;
  let isFile: boolean | undefined;
  /** Where to write without a stream. */
  let direct: number | undefined;
  // On a stream, EIO means that the terminal was closed; on a file, a disk error.
  const isReaderGone = (error: Error) => hasCode(error, ...closedPipe) || (!isFile && hasCode(error, 'EIO'));
  const openStream = () => {
    if (!stream) {
      stream = getStream();
      if (isTerminal(descriptor)) unblock(stream);
      // Node also reports a failed write here. Without a listener it would end the process.
      stream.on('error', (error) => {
        gone ||= isReaderGone(error);
      });
    }
    return stream;
  };
  return {
    get isTerminal() {
      return isTerminal(descriptor);
    },
    get columns() {
      return isTerminal(descriptor) ? openStream().columns : undefined;
    },
    write: (data) =>
      new Promise((resolve, reject) => {
        if (gone) return resolve();
        giveUps.add(resolve);
        const settle = (error: Error | null | undefined) => {
          giveUps.delete(resolve);
          // Ignore a failure to write to stderr: there is nowhere left to report it.
          if (error && !isReaderGone(error) && descriptor === 1)
            return reject(new UnwritableOutputError(error.message));
          gone ||= error != null;
          resolve();
        };
        isFile ??= statOf(descriptor)?.isFile() === true;
        if (!stream) direct ??= isFile ? descriptor : openPipe(descriptor);
        const rest = direct === undefined || (stream && !isFile) ? data : writeNow(direct, data);
        if (rest instanceof Error) settle(rest);
        else if (rest.length === 0) settle(undefined);
        else openStream().write(rest, settle);
      }),
    get isReaderGone() {
      return gone;
    },
    abandon() {
      gone = true;
      isAbandoned = true;
      for (const giveUp of giveUps) giveUp();
      giveUps.clear();
    },
    get isAbandoned() {
      return isAbandoned;
    },
    get raw() {
      return openStream();
    },
  };
}

// Writing to a terminal must not block: after Ctrl-S, it would stop the whole process. libuv has its own open file, so other processes
// are not affected.
function unblock(stream: NodeJS.WriteStream): void {
  Object(Reflect.get(stream, '_handle')).setBlocking?.(false);
}

/** Node's terminal module takes a millisecond to load, and a command in a pipe does not need it. */
function isTerminal(descriptor: Descriptor): boolean {
  const isDevice = statOf(descriptor)?.isCharacterDevice() === true;
  return isDevice && process.getBuiltinModule('node:tty').isatty(descriptor);
}

/** Undefined for a closed descriptor. */
function statOf(descriptor: Descriptor): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/** At exit, after the last output: lets go of a closed terminal. Node 20 would restore its modes, and crash (SIGABRT or SIGSEGV). */
export function releaseClosedTerminal(): void {
  for (const descriptor of [0, 1, 2] as const) {
    // A closed terminal is a device that is not a terminal. So is /dev/null, which is not needed at exit either.
    if (statOf(descriptor)?.isCharacterDevice() && !isTerminal(descriptor)) closeSync(descriptor);
  }
}

// Opens a pipe anew, so that a write never blocks, without Node's stream, which takes 4 ms to load. Undefined for others, and where
// the system cannot do it.
function openPipe(descriptor: Descriptor): number | undefined {
  if (process.platform !== 'linux' || !statOf(descriptor)?.isFIFO()) return undefined;
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Returns what a full pipe did not take, or an error. If a full disk accepts only a part, Node's stream reports success. */
function writeNow(descriptor: number, data: string | Uint8Array): Uint8Array | Error {
  let rest = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    return rest;
  } catch (error) {
    if (hasCode(error, 'EAGAIN')) return rest;
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Usually a full disk. */
class UnwritableOutputError extends Error {
  override readonly name = 'UnwritableOutput';
}
