// A checkpoint is the first frame of a segment and sums up all earlier ones, so that start-up reads one segment only. It holds
// numbers, a bit for each unfinished delivery, and the attempts made so far.

import { Contents } from './contents.ts';
import { EarlierAttempts } from './earlier-attempts.ts';
import { type FrameBuffer, frameTypes } from './frame.ts';
import { Segment } from './segment.ts';

const checkpointVersion = 1;

/** Doubles hold each of our numbers exactly. */
const numberBytes = 8;
const perSegment = 11;
const fixedNumbers = 11;

/** Sums up the contents before the first delivery of their current segment. */
export function addCheckpoint(
  frames: FrameBuffer,
  { current, sealed, lastReceived, dropped, attempts }: Contents,
): void {
  const numbers = [
    checkpointVersion,
    current.number,
    current.salt,
    current.begun,
    current.first,
    lastReceived ?? Number.NaN,
    dropped.segments,
    dropped.deliveries,
    dropped.until,
    dropped.last,
    sealed.length,
  ];
  const allBits = sealed.map((segment) => segment.unfinishedBits());
  for (const [index, segment] of sealed.entries()) {
    const { number, salt, begun, first, end, bytes, newest, deliveries, unfinished } = segment;
    const oldest = segment.oldestUnfinished() ?? 0;
    const bitBytes = allBits[index]?.length ?? 0;
    numbers.push(number, salt, begun, first, end, bytes, newest, deliveries, unfinished, oldest, bitBytes);
  }
  const text = Buffer.from(attempts.toJson());
  const size =
    numbers.length * numberBytes + allBits.reduce((sum, bits) => sum + bits.length, 0) + text.length;
  let position = frames.begin(frameTypes.checkpoint, size);
  for (const number of numbers) position = frames.bytes.writeDoubleLE(number, position);
  for (const bits of allBits) {
    frames.bytes.set(bits, position);
    position += bits.length;
  }
  text.copy(frames.bytes, position);
  frames.end(position + text.length);
}

/** Returns the contents that it sums up; `undefined` for a checkpoint of a newer version. */
export function readCheckpoint(bytes: Buffer, start: number, end: number): Contents | undefined {
  const number = (index: number) => bytes.readDoubleLE(start + index * numberBytes);
  if (number(0) !== checkpointVersion) return undefined;
  const sealed: Segment[] = [];
  const count = number(fixedNumbers - 1);
  let position = start + (fixedNumbers + count * perSegment) * numberBytes;
  for (let index = 0; index < count; index += 1) {
    const field = (offset: number) => number(fixedNumbers + index * perSegment + offset);
    const segment = new Segment({ number: field(0), salt: field(1), begun: field(2), first: field(3) });
    segment.end = field(4);
    segment.bytes = field(5);
    segment.newest = field(6);
    segment.deliveries = field(7);
    segment.unfinished = field(8);
    segment.oldest = field(9);
    segment.restore(bytes.subarray(position, position + field(10)));
    position += field(10);
    sealed.push(segment);
  }
  const begun = { number: number(1), salt: number(2), begun: number(3), first: number(4) };
  const contents = new Contents(new Segment(begun), sealed);
  const lastReceived = number(5);
  contents.lastReceived = Number.isNaN(lastReceived) ? undefined : lastReceived;
  contents.dropped = { segments: number(6), deliveries: number(7), until: number(8), last: number(9) };
  contents.attempts = EarlierAttempts.parse(bytes.toString('utf8', position, end));
  return contents;
}
