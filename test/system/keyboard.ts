// A finger on the keys of an X screen: the X11 protocol and its XTEST extension, no more than that takes.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const keys = { a: 38, Return: 36 } as const;
const [keyPress, keyRelease, motion] = [2, 3, 6];
/** Without a window manager a window stands in the corner, and the keys go to the one below the pointer. */
const inTheCorner = 60;

export interface Keyboard {
  /** Each pressed and let go, in turn; resolves when the server has seen them. */
  press(...pressed: readonly (keyof typeof keys)[]): Promise<void>;
  close(): void;
}

export async function keyboardOf(display: string): Promise<Keyboard> {
  const socket = connect(`/tmp/.X11-unix/X${display.slice(1)}`);
  const read = reader(socket);
  const hello = Buffer.alloc(12);
  hello.write('l');
  hello.writeUInt16LE(11, 2);
  socket.write(hello);
  const greeting = await read(8);
  await read(greeting.readUInt16LE(6) * 4);
  const question = Buffer.from([98, 0, 4, 0, 5, 0, 0, 0, ...Buffer.from('XTEST'), 0, 0, 0]);
  socket.write(question);
  const extension = (await read(32))[9] ?? 0;
  const fake = (type: number, detail = 0) => {
    const request = Buffer.alloc(36);
    request.set([extension, 2, 9, 0, type, detail]);
    request.writeInt16LE(inTheCorner, 24);
    request.writeInt16LE(inTheCorner, 26);
    return request;
  };
  return {
    async press(...pressed) {
      const strokes = pressed.flatMap((key) => [fake(keyPress, keys[key]), fake(keyRelease, keys[key])]);
      // GetInputFocus, which is answered in turn.
      socket.write(Buffer.concat([fake(motion), ...strokes, Buffer.from([43, 0, 1, 0])]));
      await read(32);
    },
    close: () => socket.destroy(),
  };
}

function reader(socket: Socket): (length: number) => Promise<Buffer> {
  let got = Buffer.alloc(0);
  return async (length) => {
    while (got.length < length) {
      const [bytes] = await once(socket, 'data');
      got = Buffer.concat([got, bytes]);
    }
    const part = got.subarray(0, length);
    got = got.subarray(length);
    return part;
  };
}
