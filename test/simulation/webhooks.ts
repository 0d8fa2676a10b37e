// What the scenarios of webhooks share: a service with some, and other people who change them.

import type { WebhookStatus } from '#contract/webhook.ts';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { type Machine, type Run, seedOf } from './machine.ts';

/** As the service has it, with what it shows to nobody. */
export interface StoredWebhook {
  readonly id: string;
  readonly hookUrl: string;
  readonly status: WebhookStatus;
  readonly secret?: string;
  readonly folderId?: string;
  readonly events?: readonly string[];
}

/** Of the service's only folder. */
export const folderId = 'IEAAAAAQI4AAAAAB';

export const at = (name: string) => ({ hookUrl: `http://hooks.example.com/${name}` });

/** What this machine knows of a webhook besides. */
interface LocalRecord {
  readonly label?: string;
  readonly note?: { readonly text: string };
}

type Service = Awaited<ReturnType<Machine['startService']>>;

export class Webhooks {
  readonly #machine: Machine;
  readonly #service: Service;

  constructor(machine: Machine, service: Service) {
    this.#machine = machine;
    this.#service = service;
  }

  /** Runs a command of wm. `environment`: besides the account. */
  wm(argv: readonly string[], environment = {}): Run {
    return this.#machine.wm(argv, { ...this.#service.environment, ...environment });
  }

  /** In the order of their creation. */
  async list(): Promise<readonly StoredWebhook[]> {
    const seed = await this.#service.emulator.control('GET /seed');
    const { webhooks = [] }: { webhooks?: readonly StoredWebhook[] } = JSON.parse(JSON.stringify(seed));
    // A seed leaves out the default.
    return webhooks.map((webhook) => ({ ...webhook, status: webhook.status ?? 'Active' }));
  }

  /** The records of this machine, by id. */
  get local(): Readonly<Record<string, LocalRecord>> {
    const text = this.#machine.disk.text('/home/.config/wm/state/webhooks/127.0.0.1_9000.json');
    return JSON.parse(text ?? '{"webhooks":{}}').webhooks;
  }

  /** What this machine has recorded of its commands. */
  get history(): string {
    const files = [...this.#machine.disk.texts()];
    return files.flatMap(([path, text]) => (path.includes('/history/') ? text : [])).join('');
  }

  /** By a person at another machine, whom nothing harms. */
  async set(id: string, status: WebhookStatus): Promise<void> {
    const { baseUrl, token } = this.#service.emulator;
    const url = `${baseUrl}/webhooks/${id}?status=${status}`;
    const request = { method: 'PUT', url, headers: { Authorization: `Bearer ${token}` } };
    await this.#machine.network.httpFor(undefined).send(request, { timeoutMs: 60_000, maxBytes: 1e6 });
  }

  /** All webhooks, by id, after each change that anybody has made since the service had these. */
  *afterEachChange(webhooks: readonly StoredWebhook[]): Iterable<ReadonlyMap<string, StoredWebhook>> {
    const all = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    for (const { method, path, status, response = '' } of this.#machine.network.exchanges) {
      if (method === 'GET' || !path.startsWith('/api/')) continue;
      // The sender had hung up, so what was created is unknown.
      if (method === 'POST' && status === undefined) return;
      if (status !== 200) continue;
      const [, id = ''] = /\/webhooks\/(\w+)/.exec(path) ?? [];
      if (method === 'DELETE') all.delete(id);
      else for (const webhook of JSON.parse(response).data) all.set(webhook.id, webhook);
      yield all;
    }
  }

  /** How many changes of the service this process made. */
  changesBy({ process }: Run): number {
    return this.#machine.network.exchanges.filter(
      ({ from, method, status }) => from === process.name && method !== 'GET' && status === 200,
    ).length;
  }
}

export async function startWebhooks(
  machine: Machine,
  webhooks: readonly Partial<StoredWebhook>[],
  options: EmulatorOptions = {},
): Promise<Webhooks> {
  const users = [{ firstName: 'Mia', email: 'mia@example.org', admin: true }];
  const folders = [{ id: folderId, title: 'Launch' }];
  const seed = seedOf({ version: 1, users, folders, webhooks }, { allowLoopback: options.allowLocalHooks });
  return new Webhooks(machine, await machine.startService({ seed, ...options }));
}
