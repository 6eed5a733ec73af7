import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { AwsServiceError, type Operations } from './aws-service.ts';
import type { EventBuses } from './event-buses.ts';
import type { BusEvent } from './event-envelope.ts';
import { type EventPattern, matchesPattern, readEventPattern } from './event-pattern.ts';
import type { OnMatched } from './event-rules.ts';

type Archive = {
  readonly name: string;
  readonly arn: string;
  /** Of its bus. */
  readonly sourceArn: string;
  /** The name of its bus. */
  readonly bus: string;
  readonly description: string | undefined;
  readonly retentionDays: number | undefined;
  readonly pattern: EventPattern | undefined;
  readonly events: BusEvent[];
};

type Replay = {
  readonly name: string;
  readonly archive: Archive;
  readonly from: Date;
  readonly to: Date;
  readonly startedOn: Date;
};

export type EventArchives = {
  /** The operations of EventBridge that read archives and replay them. */
  readonly operations: Operations;
  /** Keeps the event in the archives of the bus whose pattern it matches. */
  readonly keep: (bus: string, event: BusEvent) => void;
};

export type EventArchivesDeps = {
  readonly place: Place;
  readonly buses: EventBuses;
  readonly now: () => Date;
  /** The newest events of an archive. A laptop keeps no more. */
  readonly maxArchivedEvents?: number | undefined;
  /** Hands an event to the targets of rules: of those that are named, or of all of the bus. */
  readonly hand: (bus: string, event: BusEvent, ruleArns: readonly string[] | undefined) => void;
  /** Called for the rule by which EventBridge hands events to an archive. It is not listed. */
  readonly onMatched?: OnMatched | undefined;
};

const seconds = z.number().transform((time) => new Date(time * 1_000));
const ofArchive = z.object({ ArchiveName: z.string() });
const ofReplay = z.object({ ReplayName: z.string() });
const startReplay = z.object({
  ReplayName: z.string().min(1),
  EventSourceArn: z.string(),
  EventStartTime: seconds,
  EventEndTime: seconds,
  Destination: z.object({ Arn: z.string(), FilterArns: z.array(z.string()).optional() }),
});

/** The archives that the stacks declare. A replay is over as soon as it has begun. */
export function createEventArchives(
  declared: Blueprint['archives'],
  { place, buses, now, maxArchivedEvents = 50_000, hand, onMatched = () => undefined }: EventArchivesDeps,
): EventArchives {
  const archives = declared.map(({ physicalName, arn, path, properties }): Archive => {
    const { SourceArn: sourceArn, EventPattern, Description: description, RetentionDays: retentionDays } = properties;
    const pattern = EventPattern && readEventPattern(EventPattern, path);
    const bus = buses.declared(sourceArn, path);
    return { name: physicalName, arn, sourceArn, bus, description, retentionDays, pattern, events: [] };
  });
  const replays = new Map<string, Replay>();

  function start(input: unknown) {
    const {
      ReplayName: name,
      EventSourceArn,
      EventStartTime: from,
      EventEndTime: to,
      Destination,
    } = startReplay.parse(input);
    const archive = archives.find(({ arn }) => arn === EventSourceArn);
    if (archive === undefined)
      throw new AwsServiceError('ResourceNotFoundException', `Archive ${EventSourceArn} does not exist.`);
    if (buses.find(Destination.Arn) !== archive.bus)
      throw new AwsServiceError('ValidationException', 'The destination is the bus of the archive, and no other.');
    if (replays.has(name))
      throw new AwsServiceError('ResourceAlreadyExistsException', `Replay ${name} already exists.`);
    replays.set(name, { name, archive, from, to, startedOn: now() });
    for (const event of archive.events.filter(({ time }) => isWithin(new Date(time), from, to)))
      hand(archive.bus, { ...event, 'replay-name': name }, Destination.FilterArns);
    return { ReplayArn: arnOf(name), State: 'STARTING', ReplayStartTime: toSeconds(now()) };
  }

  const arnOf = (name: string) => `arn:aws:events:${place.region}:${place.account}:replay/${name}`;
  const showReplay = ({ name, archive, from, to, startedOn }: Replay) => ({
    ReplayName: name,
    ReplayArn: arnOf(name),
    EventSourceArn: archive.arn,
    State: 'COMPLETED',
    EventStartTime: toSeconds(from),
    EventEndTime: toSeconds(to),
    EventLastReplayedTime: toSeconds(to),
    ReplayStartTime: toSeconds(startedOn),
    ReplayEndTime: toSeconds(startedOn),
  });

  return {
    operations: {
      ListArchives: () => ({ Archives: archives.map(showArchive) }),
      DescribeArchive: (input) => {
        const { ArchiveName } = ofArchive.parse(input);
        const archive = archives.find(({ name }) => name === ArchiveName);
        if (archive !== undefined) return { ArchiveArn: archive.arn, ...showArchive(archive) };
        throw new AwsServiceError('ResourceNotFoundException', `Archive ${ArchiveName} does not exist.`);
      },
      StartReplay: start,
      DescribeReplay: (input) => {
        const { ReplayName } = ofReplay.parse(input);
        const replay = replays.get(ReplayName);
        if (replay !== undefined) return showReplay(replay);
        throw new AwsServiceError('ResourceNotFoundException', `Replay ${ReplayName} does not exist.`);
      },
      ListReplays: () => ({ Replays: [...replays.values()].map(showReplay) }),
    },
    keep: (bus, event) => {
      for (const { name, events, pattern, bus: own } of archives) {
        if (own !== bus || (pattern !== undefined && !matchesPattern(pattern, event))) continue;
        events.push(event);
        onMatched({ bus, rule: `Events-Archive-${name}` });
        if (events.length > maxArchivedEvents) events.shift();
      }
    },
  };
}

function showArchive({ name, sourceArn, retentionDays, description, events }: Archive) {
  return {
    ArchiveName: name,
    EventSourceArn: sourceArn,
    State: 'ENABLED',
    RetentionDays: retentionDays,
    Description: description,
    EventCount: events.length,
  };
}

function isWithin(time: Date, from: Date, to: Date): boolean {
  return time >= from && time <= to;
}

/** Since 1970, as the AWS JSON protocol has them. */
function toSeconds(time: Date): number {
  return time.getTime() / 1_000;
}
