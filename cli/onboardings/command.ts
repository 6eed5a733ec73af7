import { type Command, Option } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { addExitCodeOption, addListOptions, listOptions, resolveMoments } from '#cli/command/list-options.ts';
import { type ReadList, readOnboardings } from '#cli/deployment/api-reads.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';
import type { OnboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { toneOfOnboarding } from '#shared/onboarding/onboarding-advice.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { followOnboarding } from './follow-onboarding.ts';
import { listOpen } from './list-open.ts';
import { deadlineOn, readDeadlines } from './read-deadlines.ts';
import { createRevealingRead, readOnboarding } from './read-onboarding.ts';
import { formatOnboarding, onboardingJson } from './show-onboarding.ts';
import { addOnboardingWriteCommands } from './write-commands.ts';

const lsOptions = z.object({
  ...listOptions,
  step: z.enum(onboardingStepWords).optional(),
  stalled: z.boolean(),
  exitCode: z.boolean(),
});
const showOptions = z.object({ watch: z.boolean(), reveal: z.boolean() });

/** Adds `onboardings ls`, `show`, `start`, `retry` and `cancel`. */
export function addOnboardingsCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('onboardings').description('The onboardings of persons.');
  const ls = addExitCodeOption(
    addListOptions(group.command('ls').description('Lists onboardings, the latest changed first.'), 'changed'),
  )
    .addOption(new Option('--step <step>', 'only onboardings at this step').choices([...onboardingStepWords]))
    .option('--stalled', 'only open ones that are over the deadline of their step, the longest first', false)
    .action(async (given: unknown) => {
      const { step, stalled, exitCode, limit, ...times } = lsOptions.parse(given);
      if (stalled && (times.from !== undefined || times.to !== undefined))
        throw new CommandError(
          '--stalled lists onboardings of any time: leave --from and --to out.',
          'drawbridge onboardings ls --stalled',
        );
      const { output, connect } = createContext(ls, deps);
      const deployment = await connect();
      const { api } = deployment;
      const { from: updatedFrom, to: updatedTo } = await resolveMoments(times, deployment, deps);
      const { items, hasMore } = stalled
        ? firstOf((await listOpen(api, { step, isStalled: true })).items, limit)
        : await readOnboardings(api, { step, updatedFrom, updatedTo }, limit);
      output.list(items, {
        head: ['onboarding id', 'step', 'since', 'natural person', 'reason'],
        row: (item) => [item.onboardingId, item.step, item.since, item.naturalPersonId, reasonOf(item)],
        none: 'No onboarding matches.',
      });
      if (stalled && items.length > 0) output.note('What to do about one: drawbridge onboardings show ONBOARDING_ID');
      if (exitCode && items.length > 0) deps.exit(exitCodes.found);
      if (hasMore)
        output.note(`There are more. To see them, raise --limit above ${limit}${stalled ? '' : ', or set --to'}.`);
    });
  documentCommand(ls, {
    examples: [
      'drawbridge onboardings ls --step STOPPED',
      'drawbridge onboardings ls --stalled --exit-code --env production',
    ],
    found: '`--exit-code` is given, and an onboarding matches',
    json: 'the items of [`GET /onboardings`](../reference/api.md#get-onboardings), one a line',
  });
  const show = group
    .command('show')
    .description('Shows an onboarding: its step, its ids, why it waits or stopped, and what to do.')
    .argument('<id>', 'your id of the person, or an id of drawbridge onboardings ls, short or whole')
    .option('--watch', 'print each step until the onboarding ends or stops', false)
    .option(
      '--reveal',
      'show the link of the video call too, which is personal: the log of Query records who did',
      false,
    )
    .action(async (named: string, given: unknown) => {
      const { watch, reveal } = showOptions.parse(given);
      const { output, connect } = createContext(show, deps);
      const deployment = await connect();
      const externalId = await createIdFinder({ api: deployment.api, note: output.note }).findOnboarding(named);
      const read = reveal
        ? createRevealingRead(deployment, externalId, deps)
        : () => readOnboarding(deployment.api, externalId);
      if (watch) return followOnboarding({ output, read }, deps);
      const [answer, deadlines] = await Promise.all([read(), readDeadlines(deployment)]);
      const onboarding = { ...answer, deadlineOn: deadlineOn(answer, deadlines) };
      output.answer(onboarding, () => formatOnboarding(onboarding));
      if (['warn', 'bad'].includes(toneOfOnboarding(answer))) deps.exit(exitCodes.found);
    });
  documentCommand(show, {
    examples: [
      'drawbridge onboardings show your-id-of-the-person --watch',
      'drawbridge onboardings show your-id-of-the-person --reveal --env production',
    ],
    json: onboardingJson,
    found: 'the onboarding is STOPPED or FAILED, or its step is over its deadline',
  });
  addOnboardingWriteCommands(group, deps);
}

function firstOf<Item>(items: readonly Item[], limit: number): ReadList<Item> {
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}

function reasonOf({ reasons: [reason], failing, unknownStatus, stalledOn }: OnboardingAnswer): string | undefined {
  return reason?.code ?? failing?.code ?? (unknownStatus && 'UNKNOWN_STATUS') ?? (stalledOn && 'over its deadline');
}
