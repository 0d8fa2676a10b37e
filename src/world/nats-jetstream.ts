// What a sink needs of NATS JetStream: streams, their messages and their consumers, through the JSON API of the servers.
// @see https://docs.nats.io/reference/reference-protocols/nats_api_reference

import { type NatsResponse, parseResponse, toNatsFault } from './nats-fault.ts';
import type { NatsConnection, NatsConsumer, NatsFault, NatsPulled, NatsStream } from './world.ts';

/** The time limit of requests about streams and consumers: the servers may have to elect a leader first. */
const apiTimeoutMs = 5_000;
/** A server that has sent no message for this long no longer responds. */
const silentMs = 2_500;
const lateMs = 1_000;
const nanosecondsPerMs = 1_000_000;

interface Transport {
  /** `noMux`: the response may have another subject than the one to reply to, as the message of a consumer does. */
  request(
    subject: string,
    payload: string,
    options: { timeout: number; noMux?: boolean },
  ): Promise<NatsResponse>;
  requestMany(
    subject: string,
    payload: string,
    options: { strategy: 'stall'; maxWait: number; stall: number },
  ): Promise<AsyncIterable<NatsResponse>>;
  publish(subject: string, payload: string): void;
}

type StoredMessage = Readonly<{ message: { seq: number; subject: string; time: string; data?: string } }>;
type NamesPage = Readonly<{ total: number; streams?: string[]; consumers?: string[] }>;
type NatsStreams = Omit<NatsConnection, 'publish' | 'server' | 'outage' | 'close'>;

/** Calls `observe` with the result of each request, and the time when it was sent. */
export function openJetStream(
  connection: Transport,
  observe: (fault: NatsFault | undefined, since: number) => void,
): NatsStreams {
  const attempt = async <T extends object>(run: () => Promise<T | NatsFault>): Promise<T | NatsFault> => {
    const since = performance.now();
    const result = await run().catch((error: unknown) => toNatsFault(error));
    observe('fault' in result ? result : undefined, since);
    return result;
  };
  const request = async <T extends object>(operation: string, body: object = {}): Promise<T | NatsFault> => {
    const result = await attempt<T>(async () => {
      const options = { timeout: apiTimeoutMs };
      return parseResponse<T>(
        await connection.request(`$JS.API.${operation}`, JSON.stringify(body), options),
      );
    });
    return hasNoResponder(result) ? { fault: 'no-quorum', detail: 'jetstream is not enabled' } : result;
  };
  /** Returns all names, which the leader of the cluster knows. For more it would have to ask every server. */
  const names = async (operation: string): Promise<readonly string[] | NatsFault> => {
    const collected: string[] = [];
    for (;;) {
      const page = await request<NamesPage>(operation, { offset: collected.length });
      if ('fault' in page) return page;
      const pageNames = page.streams ?? page.consumers ?? [];
      collected.push(...pageNames);
      if (pageNames.length === 0 || collected.length >= page.total) return collected;
    }
  };
  const consumerInfo = (stream: string, name: string) =>
    request<NatsConsumer>(`CONSUMER.INFO.${stream}.${name}`);
  return {
    stream: (name) => request<NatsStream>(`STREAM.INFO.${name}`),
    streams: () => names('STREAM.NAMES'),
    createStream: (config) => request(`STREAM.CREATE.${config.name}`, config),
    setConsumer: (stream, config) =>
      request(`CONSUMER.CREATE.${stream}.${config.name}.${config.filter_subject}`, {
        stream_name: stream,
        config,
      }),
    async consumers(stream) {
      const consumerNames = await names(`CONSUMER.NAMES.${stream}`);
      return 'fault' in consumerNames
        ? consumerNames
        : Promise.all(consumerNames.map((name) => consumerInfo(stream, name)));
    },
    removeConsumer: (stream, name) => request(`CONSUMER.DELETE.${stream}.${name}`),
    async read(stream, query) {
      const stored = await request<StoredMessage>(`STREAM.MSG.GET.${stream}`, query);
      if ('fault' in stored) return stored;
      const { seq, subject, time, data = '' } = stored.message;
      return { sequence: seq, subject, time: Date.parse(time), payload: Buffer.from(data, 'base64') };
    },
    async *readCopy(stream, first, most) {
      const query = JSON.stringify({ ...first, batch: most });
      const options = { strategy: 'stall', maxWait: silentMs, stall: silentMs } as const;
      try {
        const responses = await connection.requestMany(`$JS.API.DIRECT.GET.${stream}`, query, options);
        for await (const { data, headers } of responses) {
          // The end of the batch, or the reason why there is none.
          if (headers === undefined || headers.code > 0) return;
          yield {
            sequence: Number(headers.get('Nats-Sequence')),
            subject: headers.get('Nats-Subject'),
            time: Date.parse(headers.get('Nats-Time-Stamp')),
            payload: data,
          };
        }
      } catch {
        // The leader has the messages too, or says why it cannot read them.
      }
    },
    async pull(stream, name, waitMs) {
      const next = JSON.stringify({ batch: 1, expires: waitMs * nanosecondsPerMs });
      const message = await attempt<NatsResponse>(() => {
        const options = { timeout: waitMs + lateMs, noMux: true };
        return connection.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, next, options);
      });
      if (hasNoResponder(message)) {
        // The consumer is gone, or has no leader.
        const consumer = await consumerInfo(stream, name);
        return 'fault' in consumer ? consumer : { fault: 'no-quorum', detail: 'no responders' };
      }
      if ('fault' in message) return message;
      const { code = 0, description = '' } = message.headers ?? {};
      if (code === 0) return toPulled(connection, message);
      return code === 404 || code === 408 ? undefined : { fault: 'no-quorum', detail: description };
    },
  };
}

/** Nothing on the servers subscribes to the subject of the request. */
const hasNoResponder = (result: object) =>
  'fault' in result && 'detail' in result && /no responders/.test(String(result.detail));

function toPulled(connection: Transport, { subject, data, reply = '' }: NatsResponse): NatsPulled {
  // $JS.ACK.[DOMAIN.ACCOUNT.]STREAM.CONSUMER.DELIVERIES.SEQUENCE.SEQUENCE OF THE CONSUMER.NANOSECONDS.PENDING[.TOKEN]
  const tokens = reply.split('.');
  const [deliveries, sequence, , nanoseconds = ''] = tokens.slice(tokens.length === 9 ? 4 : 6);
  return {
    sequence: Number(sequence),
    subject,
    time: Number(nanoseconds.slice(0, -6)),
    payload: data,
    earlierDeliveries: Number(deliveries) - 1,
    async ack() {
      await connection.request(reply, '+ACK', { timeout: apiTimeoutMs }).catch(() => {});
    },
    putBack: (delayMs) =>
      connection.publish(reply, `-NAK ${JSON.stringify({ delay: delayMs * nanosecondsPerMs })}`),
    keep: () => connection.publish(reply, '+WPI'),
  };
}
