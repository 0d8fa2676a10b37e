// A seed of the present data: what `wm emulator start --seed` starts with again.

import { writeSeed } from '../seed/write-seed.ts';
import type { ControlRequest } from './control-request.ts';

export function seedEndpoint({ service: { store } }: ControlRequest) {
  return writeSeed(store);
}
