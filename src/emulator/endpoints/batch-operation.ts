// One operation of a batch, as a client sends it; its shape is assumed.

import { choice, optional, record, type TypeOf, text } from '../../contract/value.ts';
import { anyValue } from './assumed-operation.ts';

export const batchOperation = record('batch operation', {
  method: choice('method', ['POST']),
  path: text('path', { notEmpty: true }),
  parameters: optional(anyValue),
});
export type BatchOperation = TypeOf<typeof batchOperation>;
