import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { docsPage } from '#cli/command/docs-page.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';
import { requestPath } from '#cli/command/request-url.ts';
import { setField, setFields, setHelp, withFields } from '#cli/command/set-option.ts';
import { onboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { concealLink } from './conceal-link.ts';
import { followOnboarding } from './follow-onboarding.ts';
import { readOnboarding } from './read-onboarding.ts';
import { formatOnboarding, onboardingJson } from './show-onboarding.ts';

const startOptions = z.object({
  set: setFields,
  externalId: z.string().optional(),
  mode: z.string().optional(),
  watch: z.boolean(),
});
const watchOptions = z.object({ watch: z.boolean() });

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
      const { api } = await connect();
      await confirm('request the onboarding of a person');
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
    writes: 'creates a person and a verification on the platform',
  });

  const act = (action: 'retry' | 'cancel', description: string, effect: string) => {
    const command = group
      .command(action)
      .description(description)
      .argument('<external id>', 'your id of the person, or onboardingId: and an id of drawbridge onboardings ls')
      .option(...watch)
      .action(async (externalId: string, given: unknown) => {
        const { watch: isWatched } = watchOptions.parse(given);
        const { output, connect, confirm } = createContext(command, deps);
        const { api } = await connect();
        await confirm(`${action === 'retry' ? 'continue' : 'end'} the onboarding of ${externalId}`);
        const path = `${requestPath`/onboardings/${externalId}`}/${action}`;
        const answer = concealLink(await api.send({ method: 'POST', path }, onboardingAnswer));
        if (isWatched) return followOnboarding({ output, read: () => readOnboarding(api, externalId) }, deps);
        output.answer(answer, () => formatOnboarding(answer));
      });
    documentCommand(command, {
      examples: [`drawbridge onboardings ${action} your-id-of-the-person`],
      json: onboardingJson,
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
