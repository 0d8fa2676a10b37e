// Reads single deliveries from the disk. It continues where it stopped, so ascending order is fastest.

import type { Files } from '#world/world.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';
import { frameTypes } from './frame.ts';
import type { Segment } from './segment.ts';
import { SegmentReader } from './segment-reader.ts';

/** One call at a time. */
export function createDeliveryReader(files: Pick<Files, 'openForReading'>, folder: string) {
  let open: { readonly number: number; readonly reader: SegmentReader } | undefined;
  /** The sequence number that the reader has reached. */
  let reached = 0;
  const close = async () => {
    const last = open;
    open = undefined;
    await last?.reader.close();
  };
  return {
    /** Returns `undefined` if the delivery is missing or damaged. Throws the system's own error. */
    async read({ number, salt }: Segment, sequence: number): Promise<StoredDelivery | undefined> {
      if (open?.number !== number || reached > sequence) {
        await close();
        const reader = await SegmentReader.open(files, folder, number, salt);
        if (!reader) return undefined;
        open = { number, reader };
        reached = 0;
      }
      const { reader } = open;
      const { parser } = reader;
      while (reached < sequence) {
        const step = await reader.next();
        if (step === 'end') return undefined;
        if (step === 'frame' && parser.type === frameTypes.delivery)
          reached = readSequence(parser.bytes, parser.start);
      }
      return reached === sequence ? readDelivery(parser.bytes, parser.start, parser.end) : undefined;
    },
    close,
  };
}
