// What a control call is given. Finding it and reading its body is control.ts.

import type { Service } from '../service/service.ts';

export interface ControlRequest {
  readonly service: Service;
  /** What the JSON body holds, or nothing. */
  readonly body: unknown;
  readonly query: ReadonlyMap<string, string>;
  /** The last part of the path, where the call takes one. */
  readonly id: string;
}
