import { DescribeArchiveCommand, DescribeReplayCommand, StartReplayCommand } from '@aws-sdk/client-eventbridge';
import type { CommandContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { listSubscriberRules } from './subscriber-rules.ts';

/** Times are ISO 8601, in UTC. */
export type BusReplayRequest = {
  /** The names of the rules that get the events. */
  readonly to: readonly string[];
  readonly from: string;
  readonly until?: string | undefined;
};

/** What EventBridge is doing while the events come. */
const running: readonly (string | undefined)[] = ['STARTING', 'RUNNING', 'CANCELLING'];

/** In milliseconds: the archive gets an event up to so much later than the bus. */
const archivedWithin = 10 * 60_000;

/** In milliseconds. */
const betweenReads = 3_000;

/**
 * Replays the archive of the bus to rules of subscribers, and waits until EventBridge is done.
 *
 * @throws {CommandError} for a rule that is not on the bus, and where EventBridge has no archive
 */
export async function replayBus(
  { to, from, until }: BusReplayRequest,
  { output, connect, confirm }: Pick<CommandContext, 'output' | 'connect' | 'confirm'>,
  deps: Pick<CommandDeps, 'fetch' | 'now' | 'newId' | 'wait'>,
): Promise<{ readonly state: string }> {
  const deployment = await connect();
  const { eventBridge } = deployment.clients;
  const { idOf, ofType } = await deployment.resources();
  const rules = await listSubscriberRules(deployment, idOf('bus', 'Bus'));
  const FilterArns = to.map((name) => {
    const rule = rules.find(({ Name }) => Name === name);
    if (rule?.State === 'DISABLED')
      throw new CommandError(`The rule ${name} is disabled: its targets would get nothing.`, 'enable the rule first.');
    if (rule?.Arn !== undefined) return rule.Arn;
    throw new CommandError(`No rule of a subscriber on the bus has the name ${name}.`, 'drawbridge bus ls');
  });
  const [archive] = ofType('AWS::Events::Archive');
  if (archive === undefined) throw new CommandError('The data stack has no archive of the bus.', 'drawbridge doctor');
  const { ArchiveArn, EventSourceArn } = await eventBridge.send(
    new DescribeArchiveCommand({ ArchiveName: archive.physicalId }),
  );
  const now = await readClock(deployment, deps);
  const end = until ?? now.toISOString();
  await confirm(`publish the events of ${from} to ${end} once more for ${to.join(', ')}`);
  const ReplayName = `drawbridge-cli-${deps.newId()}`;
  await eventBridge.send(
    new StartReplayCommand({
      ReplayName,
      EventSourceArn: ArchiveArn,
      EventStartTime: new Date(from),
      EventEndTime: new Date(end),
      Destination: { Arn: EventSourceArn, FilterArns },
    }),
  );
  output.note(`The replay ${ReplayName} runs. It continues when you end this command.`);
  const { state, reached } = await untilDone();
  const lastArchived = new Date(now.getTime() - archivedWithin).toISOString();
  if (!deployment.isLaptop && end > lastArchived)
    output.note(`Events of the last minutes can be missing: repeat the command later with --from ${lastArchived}.`);
  output.answer({ replay: ReplayName, rules: to, from, until: end, state }, () =>
    state === 'COMPLETED'
      ? `The events of ${from} to ${end} were published once more for ${to.join(', ')}.`
      : `EventBridge ended the replay ${ReplayName}: ${state}. Events before ${reached} were published: repeat the command with --from ${reached}.`,
  );
  return { state };

  async function untilDone(): Promise<{ readonly state: string; readonly reached: string }> {
    for (;;) {
      const answer = await eventBridge.send(new DescribeReplayCommand({ ReplayName }));
      const { State = '', StateReason, EventLastReplayedTime: reached } = answer;
      if (!running.includes(State))
        return {
          state: StateReason === undefined || State === 'COMPLETED' ? State : `${State} (${StateReason})`,
          reached: reached?.toISOString() ?? from,
        };
      await deps.wait(betweenReads);
    }
  }
}
