// `wm webhook sink create|check|retire URL`, and `import JOURNAL`: manages the NATS streams in which several receivers store deliveries.

import { command } from '#cli/command.ts';
import { caseInsensitive, integerFlag, textFlag } from '#cli/flags/flag.ts';
import { untilInterrupted } from '#cli/interrupt.ts';
import { choice } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { parseSinkUrl, sinkConnectionFlags, sinkFlag } from '../archive/storage-flags.ts';
import { listenFlags } from '../listen/listen-flags.ts';
import { checkSink, createSink, streamColumns } from '../sink/create-sink.ts';
import { maxPartitions, minServerVersion, sinkDefaults } from '../sink/jetstream/sink-layout.ts';

const actions = choice('action', ['create', 'check', 'import', 'retire']);

export default command({
  changes: 'a receiver',
  handlesInterrupt: true,
  examples: {
    'Create the streams of a sink on a cluster of three servers':
      'wm webhook sink create nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES',
    'Check that their settings are still strong enough':
      'wm webhook sink check nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES --sink-creds wm.creds',
    'Move the waiting deliveries of a journal into a sink':
      'wm webhook sink import /var/lib/wm/deliveries --sink nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES',
    'Give up a target that no forwarder serves any more':
      'wm webhook sink retire nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES --target http://127.0.0.1:3000/old',
  },
  details: `A sink stores deliveries for several receivers: it is a set of streams in NATS JetStream, which keeps copies on several servers.
wm webhook listen --sink stores deliveries there, and any number of wm webhook forward processes send them to your program.

create makes four streams: the deliveries, the dead letters (NAME-dead), what was done with each delivery (NAME-log), and the state of
the forwarders (NAME-state). They are stored in files, with three copies if the cluster has three servers. Deliveries are kept for
--keep-days, and duplicates are recognised for 7 days. At --max-size the service gets 503, and nothing is dropped. The number of partitions
can never be changed: each partition is forwarded in order, one delivery at a time. The servers need version ${minServerVersion} or newer.

check reads the settings, and names each one that is too weak (exit status 10) and each server that does not respond (exit status 7 if too
few do). listen and forward check the settings when they start.

import moves the waiting deliveries of a journal into the sink that --sink names, in order. End its receiver first; wm says when receivers
can start on the sink. Forwarded deliveries and dead letters stay in the journal. If an import is interrupted, run it again: it
continues, without duplicates. The journal keeps its files, and notes in them which deliveries were imported.

retire gives up the target that --target names, such as the URL of an earlier --forward-to: it removes its consumers, so that deliveries no
longer wait for it and count as forwarded once the other targets have them. Nothing is deleted from the streams. If a forwarder serves the
target again later, it continues where it was. wm webhook log --stuck names such targets.

Credentials come from --sink-creds, or from WM_SINK_USER and WM_SINK_PASSWORD, WM_SINK_TOKEN or WM_SINK_NKEY. With tls:// in place of
nats://, the connection must be encrypted.`,
  pipeColumns: streamColumns,
  arguments: {
    action: { help: `what to do: ${actions.choices?.join(', ')}`, choices: actions.choices ?? [] },
    place: {
      help: 'the servers and the name of the stream, nats://HOST[:PORT][,HOST...]/NAME; for import, the folder of the journal',
    },
  },
  flags: {
    partitions: integerFlag(
      'N',
      `How many deliveries of different tasks can be forwarded at once (default: ${sinkDefaults.partitions})`,
      1,
      maxPartitions,
    ),
    replicas: integerFlag('N', 'How many copies (default: 3 on three servers or more)', 1, 5),
    keepDays: integerFlag(
      'N',
      `How long deliveries are kept, in days (default: ${sinkDefaults.keepDays})`,
      7,
      3_650,
    ),
    maxSize: {
      ...listenFlags.maxSize,
      help: 'How large the stream of deliveries may become (default: no limit)',
    },
    sink: sinkFlag('The sink to import into'),
    target: textFlag('TARGET', 'The target to retire: its URL, or as webhook log --stuck names it'),
    ...sinkConnectionFlags,
  },
  async run({ arguments: { action: rawAction, place }, flags }, context) {
    const action = caseInsensitive(actions).validate(rawAction);
    const { replicas, keepDays, maxSize } = flags;
    if (action !== 'create' && [replicas, keepDays, maxSize].some((flag) => flag !== undefined))
      throw usageError(
        '--replicas, --keep-days and --max-size are only for create',
        'The other actions use the streams as they are.',
      );
    if (flags.target !== undefined && action !== 'retire')
      throw usageError('--target is only for retire', 'Leave it out.');
    if (action !== 'import' && flags.sink !== undefined)
      throw usageError('--sink is only for import', `${action} takes the URL as an argument.`);
    if (action === 'import')
      await (await import('../sink/import-journal.ts')).importJournal(context, place, flags);
    else {
      const url = parseSinkUrl(place, 'PLACE');
      if (action === 'retire')
        await (await import('../sink/retire-target.ts')).retireTarget(context, url, flags);
      else if (action === 'create') await createSink(context, url, flags);
      else await untilInterrupted(context, () => checkSink(context, url, flags));
    }
  },
});
