// Writes notes on what was done with deliveries to their stream, many in one message. Nothing waits for them: they are there to be shown;
// what must not be lost is in the progress stream.

import type { Clock, NatsConnection } from '../../world/world.ts';
import type { Note } from '../delivery-journal.ts';
import { sinkStreams, sinkSubjects } from './sink-layout.ts';

const gatherMs = 100;
const mostNotes = 500;
const publishMs = 5_000;
/** How many notes are held in memory while they cannot be written. */
const mostHeld = 20_000;

export class SinkNotes {
  readonly #nats: Pick<NatsConnection, 'publish'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #subject: string;
  readonly #stream: string;
  #gathered: Note[] = [];
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(nats: Pick<NatsConnection, 'publish'>, clock: Pick<Clock, 'after'>, stream: string) {
    this.#nats = nats;
    this.#clock = clock;
    this.#subject = sinkSubjects.log(stream);
    this.#stream = sinkStreams(stream).log;
  }

  add(note: Note): void {
    if (this.#gathered.length >= mostHeld) this.#gathered.splice(0, mostNotes);
    this.#gathered.push(note);
    this.#cancel ??= this.#clock.after(gatherMs, () => void this.flush());
  }

  /** Resolves once all added notes are written, or writing them has failed. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#gathered.length > 0) {
      const notes = this.#gathered.splice(0, mostNotes);
      const text = notes.map((note) => JSON.stringify(note)).join('\n');
      const published = await this.#nats.publish(this.#subject, new TextEncoder().encode(text), {
        stream: this.#stream,
        timeoutMs: publishMs,
      });
      if (!('fault' in published)) continue;
      this.#gathered.unshift(...notes);
      // Retried with the next note, or at the end.
      return;
    }
  }
}
