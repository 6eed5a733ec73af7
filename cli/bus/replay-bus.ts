import { DescribeArchiveCommand, DescribeReplayCommand, StartReplayCommand } from '@aws-sdk/client-eventbridge';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import { countOf } from '#cli/output/count-of.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { readValues, totalOf } from '#cli/status/metric-query.ts';
import { listSubscriberRules } from './subscriber-rules.ts';

/** Times are ISO 8601, in UTC. */
type BusReplayRequest = {
  /** The names of the rules that get the events. */
  readonly to: readonly string[];
  readonly from: string;
  /** Now unless given. */
  readonly until?: string | undefined;
};

/** A replay that can begin. */
type BusReplayPlan = {
  readonly rules: readonly {
    readonly name: string;
    readonly arn: string;
    /** How many events of the time the rule took when they came: none if it is newer. */
    readonly matched: number;
  }[];
  readonly from: string;
  readonly until: string;
  /** How many events the archive took in the time. CloudWatch counts whole minutes or hours, and some minutes late. */
  readonly archived: number;
  /** Events of this time or later can be missing. Undefined if the archive has all. */
  readonly incompleteFrom: string | undefined;
  readonly archive: { readonly arn: string; readonly bus: string };
};

type BusReplayResult = {
  /** The name of the replay. */
  readonly replay: string;
  /** How EventBridge ended it. */
  readonly state: string;
  readonly isComplete: boolean;
  readonly message: string;
};

/** What EventBridge is doing while the events come. */
const running: readonly (string | undefined)[] = ['STARTING', 'RUNNING', 'CANCELLING'];

/** In milliseconds: the archive gets an event up to so much later than the bus. */
const archivedWithin = 10 * 60_000;

/** In milliseconds. */
const betweenReads = 3_000;

/** EventBridge hands events to an archive by a rule of this name, which it manages. */
const archiveRule = (archive: string) => `Events-Archive-${archive}`;

/**
 * Finds out what a replay of the archive would publish, and for which rules of subscribers.
 *
 * @throws {CommandError} for a rule that is not on the bus, for a time without a length, and if the bus has no archive
 */
export async function planBusReplay(
  deployment: Deployment,
  { to, from, until }: BusReplayRequest,
  deps: Pick<CommandDeps, 'fetch' | 'now'>,
): Promise<BusReplayPlan> {
  const { idOf, ofType } = await deployment.resources();
  const busName = idOf('bus', 'Bus');
  const subscribers = await listSubscriberRules(deployment, busName);
  const arns = to.map((name) => {
    const rule = subscribers.find(({ Name }) => Name === name);
    if (rule?.State === 'DISABLED')
      throw new CommandError(`The rule ${name} is disabled: its targets would get nothing.`, 'enable the rule first.');
    if (rule?.Arn !== undefined) return rule.Arn;
    throw new CommandError(`No rule of a subscriber on the bus has the name ${name}.`, 'drawbridge bus ls');
  });
  const [archive] = ofType('AWS::Events::Archive');
  if (archive === undefined) throw new CommandError('The data stack has no archive of the bus.', 'drawbridge doctor');
  const { ArchiveArn: arn = '', EventSourceArn: bus = '' } = await deployment.clients.eventBridge.send(
    new DescribeArchiveCommand({ ArchiveName: archive.physicalId }),
  );
  const now = await readClock(deployment, deps);
  const end = until ?? now.toISOString();
  if (Date.parse(from) >= Date.parse(end))
    throw new CommandError(
      `The replay would end (${end}) before it starts (${from}).`,
      'give an earlier start, or a later end.',
    );
  const [archived = 0, ...matched] = await countMatched(
    deployment,
    { busName, rules: [archiveRule(archive.physicalId), ...to] },
    { from: new Date(from), end: new Date(end), now },
  );
  const lastArchived = new Date(now.getTime() - archivedWithin).toISOString();
  return {
    rules: to.map((name, index) => ({ name, arn: arns[index] ?? '', matched: matched[index] ?? 0 })),
    from,
    until: end,
    archived,
    incompleteFrom: !deployment.isLaptop && end > lastArchived ? lastArchived : undefined,
    archive: { arn, bus },
  };
}

/** What a replay does, as the end of "This will …". @param when its time, in words */
export function describeBusReplay({ rules, archived }: BusReplayPlan, when: string): string {
  const events = archived === 0 ? 'the events' : `about ${countOf(archived, 'event')}`;
  return `publish ${events} ${when} once more for ${rules.map(({ name }) => name).join(', ')}`;
}

/**
 * Replays the archive of the bus as planned, and waits until EventBridge is done. The log records it before.
 *
 * @param onStarted called with the name of the replay, which continues without this process
 */
export async function runBusReplay(
  deployment: RecordDeployment,
  { rules, from, until, archive }: BusReplayPlan,
  deps: RecordDeps & Pick<CommandDeps, 'wait'>,
  onStarted: (replay: string) => void = () => undefined,
): Promise<BusReplayResult> {
  const { eventBridge } = deployment.clients;
  const names = rules.map(({ name }) => name);
  await recordAction(deployment, { message: 'bus replay requested', rules: names.join(',') }, deps);
  const ReplayName = `drawbridge-cli-${deps.newId()}`;
  await eventBridge.send(
    new StartReplayCommand({
      ReplayName,
      EventSourceArn: archive.arn,
      EventStartTime: new Date(from),
      EventEndTime: new Date(until),
      Destination: { Arn: archive.bus, FilterArns: rules.map(({ arn }) => arn) },
    }),
  );
  onStarted(ReplayName);
  for (;;) {
    const answer = await eventBridge.send(new DescribeReplayCommand({ ReplayName }));
    const { State = '', StateReason, EventLastReplayedTime } = answer;
    if (running.includes(State)) {
      await deps.wait(betweenReads);
      continue;
    }
    if (State === 'COMPLETED') {
      const message = `The events of ${from} to ${until} were published once more for ${names.join(', ')}.`;
      return { replay: ReplayName, state: State, isComplete: true, message };
    }
    const state = StateReason === undefined ? State : `${State} (${StateReason})`;
    const reached = EventLastReplayedTime?.toISOString() ?? from;
    const message = `EventBridge ended the replay ${ReplayName}: ${state}. Events before ${reached} were published: replay again from ${reached} on.`;
    return { replay: ReplayName, state, isComplete: false, message };
  }
}

/** How many events each rule of the bus has taken, in the order of the rules. */
async function countMatched(
  { clients }: Pick<Deployment, 'clients'>,
  { busName, rules }: { readonly busName: string; readonly rules: readonly string[] },
  { from, end, now }: { readonly from: Date; readonly end: Date; readonly now: Date },
): Promise<readonly number[]> {
  const [start, until] = [from.getTime(), end.getTime()];
  const queries = rules.map((RuleName, index) => ({
    Id: `rule${index}`,
    MetricStat: {
      Metric: {
        Namespace: 'AWS/Events',
        MetricName: 'MatchedEvents',
        Dimensions: [
          { Name: 'EventBusName', Value: busName },
          { Name: 'RuleName', Value: RuleName },
        ],
      },
      Period: periodOf(until - start, now.getTime() - start),
      Stat: 'Sum',
    },
  }));
  const valuesOf = await readValues(clients, queries, { from: start, until });
  return queries.map(({ Id }) => totalOf(valuesOf(Id)) ?? 0);
}

/** In milliseconds. */
const day = 24 * 3_600_000;

/** In seconds: CloudWatch keeps minutes for 15 days, five minutes for 63, and then hours. Fewer values need fewer answers. */
function periodOf(length: number, age: number): number {
  if (length <= day && age <= 15 * day) return 60;
  return length <= 5 * day && age <= 63 * day ? 300 : 3_600;
}
