// A stream of a sink as `wm webhook sink` shows it.

import { partitionsOf } from '../../../receiver/sink/sink-layout.ts';
import type { Column } from '../../../terminal/table.ts';
import type { NatsStream } from '../../../world/world.ts';

const dayMs = 24 * 60 * 60 * 1000;

export const streamColumns: readonly Column<NatsStream>[] = [
  { title: 'stream', cell: ({ name }) => name },
  { title: 'messages', cell: ({ messages }) => String(messages) },
  { title: 'bytes', cell: ({ bytes }) => String(bytes) },
  { title: 'partitions', cell: (stream) => String(partitionsOf(stream) ?? '') },
  { title: 'replicas', cell: ({ replicas }) => String(replicas) },
  { title: 'storage', cell: ({ storage }) => storage },
  { title: 'days', cell: ({ maxAgeMs }) => (maxAgeMs === 0 ? '' : String(maxAgeMs / dayMs)) },
  { title: 'discard', cell: ({ discard }) => discard },
];

export function toStreamJson(stream: NatsStream): object {
  const { name, messages, bytes, replicas, storage, maxAgeMs, duplicateWindowMs, discard, maxBytes } = stream;
  const partitions = partitionsOf(stream);
  return {
    name,
    messages,
    bytes,
    ...(partitions === undefined ? {} : { partitions }),
    replicas,
    storage,
    ...(maxAgeMs === 0 ? {} : { maxAgeDays: maxAgeMs / dayMs }),
    duplicateWindowDays: duplicateWindowMs / dayMs,
    discard,
    ...(maxBytes === 0 ? {} : { maxBytes }),
  };
}
