import { type Command, Option } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { docsPage } from '#cli/command/docs-page.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';
import { setField, setFields, setHelp, withFields } from '#cli/command/set-option.ts';
import { recordOperation, recordStart } from '#cli/deployment/record-action.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';
import { countOf } from '#cli/output/count-of.ts';
import { concealLink } from '#shared/api/conceal-link.ts';
import { onboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { followOnboarding } from './follow-onboarding.ts';
import { listOpen, moreAtStep } from './list-open.ts';
import { operate, operateAll, targetsOf } from './operate.ts';
import { readOnboarding } from './read-onboarding.ts';
import { formatOnboarding, onboardingJson } from './show-onboarding.ts';

const startOptions = z.object({
  set: setFields,
  externalId: z.string().optional(),
  mode: z.string().optional(),
  watch: z.boolean(),
});
const actOptions = z.object({
  watch: z.boolean(),
  step: z.enum(onboardingStepWords).optional(),
  stalled: z.boolean(),
});

const watch = ['--watch', 'print each step until the onboarding ends or stops', false] as const;

/** Adds `onboardings start`, `retry` and `cancel`. */
export function addOnboardingWriteCommands(group: Command, deps: CommandDeps): void {
  const start = group
    .command('start')
    .description('Requests an onboarding. The same request again is the same onboarding.')
    .argument('[file]', `the request as JSON (${docsPage('docs/how-to/onboard.md')}); - reads the standard input`)
    .option('--set <field=value>', `${setHelp}; replaces that of the file`, setField, [])
    .option('--external-id <id>', 'replaces the externalId of the file')
    .option('--mode <mode>', 'replaces the mode of the identification: video, supplied or none')
    .option(...watch)
    .action(async (file: string | undefined, given: unknown) => {
      const { set, externalId, mode, watch: isWatched } = startOptions.parse(given);
      if (file === undefined && set.length === 0)
        throw new CommandError('The request has no person.', 'drawbridge onboardings start --help');
      const body = withFields(file === undefined ? {} : readJsonFile(file, deps), [
        ...set,
        ...(externalId === undefined ? [] : [{ path: ['externalId'], value: externalId }]),
        ...(mode === undefined ? [] : [{ path: ['identification', 'mode'], value: mode }]),
      ]);
      const { output, connect, confirm } = createContext(start, deps);
      const deployment = await connect();
      const { api } = deployment;
      await confirm('request the onboarding of a person');
      await recordStart(deployment, body, deps);
      const accepted = concealLink(await api.send({ method: 'POST', path: '/onboardings', body }, onboardingAnswer));
      if (!isWatched) return output.answer(accepted, () => formatOnboarding(accepted));
      const id = `onboardingId:${accepted.onboardingId}`;
      await followOnboarding({ output, read: () => readOnboarding(api, id) }, deps);
    });
  documentCommand(start, {
    examples: [
      'drawbridge onboardings start request.json --watch',
      'drawbridge onboardings start request.json --external-id another-person --env production',
      'drawbridge onboardings start request.json --set person.firstName=Erika --set person.lastName=Magic-Rejected',
    ],
    json: onboardingJson,
    found: 'with `--watch`, the onboarding stopped or failed',
    writes: 'creates a person and a verification on the platform',
  });

  const act = (action: 'retry' | 'cancel', description: string, effect: string) => {
    const command = group
      .command(action)
      .description(description)
      .argument('[ids...]', 'your ids of the persons, or ids of drawbridge onboardings ls, short or whole')
      .addOption(new Option('--step <step>', 'all onboardings at this step').choices([...openSteps]))
      .option('--stalled', 'all onboardings that are over the deadline of their step', false)
      .option(...watch)
      .action(async (ids: readonly string[], given: unknown) => {
        const { watch: isWatched, step, stalled } = actOptions.parse(given);
        const isByFilter = step !== undefined || stalled;
        if (isByFilter === ids.length > 0)
          throw new CommandError('Name onboardings, or a --step, or --stalled.', 'drawbridge onboardings ls');
        if (isWatched && (isByFilter || ids.length > 1))
          throw new CommandError(
            '--watch follows one onboarding: name one, or leave --watch out.',
            'drawbridge onboardings ls',
          );
        const { output, connect, confirm } = createContext(command, deps);
        const deployment = await connect();
        const { api } = deployment;
        const externalIds = await createIdFinder({ api, note: output.note }).findOnboardings(ids);
        const [externalId = '', ...others] = externalIds;
        const does = action === 'retry' ? 'continue' : 'end';
        if (!isByFilter && others.length === 0) {
          await confirm(`${does} the onboarding of ${externalId}`);
          await recordOperation(deployment, { operation: action, externalIds }, deps);
          const answer = await operate(api, action, externalId);
          if (isWatched) return followOnboarding({ output, read: () => readOnboarding(api, externalId) }, deps);
          return output.answer(answer, () => formatOnboarding(answer));
        }
        const found = isByFilter ? await listOpen(api, { step, isStalled: stalled }) : undefined;
        const targets = found ? targetsOf(found.items) : externalIds.map((one) => ({ externalId: one }));
        const count = targets.length;
        if (found?.hasMore) output.note(moreAtStep);
        if (count > 0) await confirm(`${does} ${countOf(count, 'onboarding')}`);
        await recordOperation(
          deployment,
          { operation: action, externalIds: targets.map((target) => target.externalId) },
          deps,
        );
        const progress =
          count > 0 ? deps.startProgress(action === 'retry' ? 'Continuing' : 'Ending', count) : undefined;
        const { results, stoppedBy } = await operateAll(api, action, targets, () => progress?.advance(1));
        const done = results.filter(({ problem }) => problem === undefined).length;
        progress?.stop(`${countOf(done, 'onboarding')} of ${count} ${action === 'retry' ? 'continued' : 'ended'}.`);
        output.list(results, {
          head: ['onboarding', 'step', 'problem'],
          row: (result) => [result.externalId, result.step, result.problem],
          none: 'No onboarding matches.',
        });
        if (stoppedBy !== undefined) throw stoppedBy;
        if (done < count) deps.exit(exitCodes.found);
      });
    documentCommand(command, {
      examples: [
        `drawbridge onboardings ${action} your-id-of-the-person`,
        `drawbridge onboardings ${action} --step STOPPED --env production`,
      ],
      json: `${onboardingJson}. Of several onboardings one a line: \`externalId\`, \`step\` or \`problem\``,
      found:
        'of several onboardings, the API refused some, or some came to another step since the list. With `--watch`, the onboarding stopped or failed',
      writes: effect,
    });
  };
  act(
    'retry',
    'Continues an onboarding that is stopped or failed, and calls the platform immediately.',
    'continues the onboarding',
  );
  act('cancel', 'Ends an onboarding. The person stays on the platform as it is.', 'ends the onboarding');
}
