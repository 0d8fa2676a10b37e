// The input of a control endpoint: the service, the JSON body, the query and the id in the path.

import type { Service } from '../service/service.ts';

export interface ControlRequest {
  readonly service: Service;
  /** The JSON body, or an empty object. */
  readonly body: unknown;
  readonly query: ReadonlyMap<string, string>;
  readonly id: string;
}
