import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';
import { requestPath } from '#cli/command/request-url.ts';
import { setField, setFields, setHelp, withFields } from '#cli/command/set-option.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';
import { onboardingIdIn } from '#shared/onboarding/onboarding-keys.ts';
import { addPersonOptions, personArgument, readPersonOptions } from './person-options.ts';
import { erasePerson } from './person-query.ts';
import { describePerson, readPerson, recordedIds, refuseOthers } from './preview-person.ts';

const updateOptions = z.object({ set: setFields, document: z.string().optional() });

/** Adds `persons update` and `persons erase`. */
export function addPersonCommands(persons: Command, deps: CommandDeps): void {
  const update = persons
    .command('update')
    .description('Updates a person on the platform. Drawbridge stores nothing of the update.')
    .argument('<id>', personArgument)
    .argument(
      '[file]',
      'JSON such as {"naturalPersonUpdateData": {"profession": "Engineer"}}, with a documentId where one is needed; - reads the standard input',
    )
    .option('--set <field=value>', `${setHelp}; of the update data`, setField, [])
    .option('--document <id>', 'the document that proves the change, where one is needed')
    .action(async (named: string, file: string | undefined, given: unknown) => {
      const { set, document } = updateOptions.parse(given);
      if (file === undefined && set.length === 0)
        throw new CommandError('The update changes no field.', 'drawbridge persons update --help');
      const body = withFields(file === undefined ? {} : readJsonFile(file, deps), [
        ...set.map(({ path, value }) => ({ path: ['naturalPersonUpdateData', ...path], value })),
        ...(document === undefined ? [] : [{ path: ['documentId'], value: document }]),
      ]);
      const { output, connect, confirm } = createContext(update, deps);
      const deployment = await connect();
      const { api } = deployment;
      const externalId = await createIdFinder({ api, note: output.note }).findPerson(named);
      await confirm(`update the person ${externalId} on the platform`);
      const onboardingId = onboardingIdIn(externalId);
      await recordAction(deployment, { message: 'person update requested', onboardingId }, deps);
      await api.send({ method: 'PATCH', path: requestPath`/onboardings/${externalId}/person`, body }, z.unknown());
      output.answer({ externalId, updated: true }, () => `The platform has accepted the update of ${externalId}.`);
    });
  documentCommand(update, {
    examples: [
      'drawbridge persons update your-id-of-the-person update.json',
      'drawbridge persons update your-id-of-the-person --set profession=Engineer',
    ],
    json: '`externalId` and `updated`',
    writes: 'updates the person on the platform',
  });

  const erase = addPersonOptions(
    persons
      .command('erase')
      .description(
        'Shows what is stored about a person, asks, and erases it. After an interruption, run the same command again.',
      ),
  ).action(async (named: string, given: unknown) => {
    const { query, asGiven } = readPersonOptions(given);
    const { output, connect, confirm } = createContext(erase, deps);
    const deployment = await connect();
    const { api } = deployment;
    const { wait } = deps;
    const externalId = await createIdFinder({ api, note: output.note }).findPerson(named);
    const person = await readPerson(externalId, query, { api, output, wait });
    refuseOthers(externalId, person, { command: 'erase', asGiven });
    output.note(`Stored of ${externalId}: ${describePerson(person)}.`);
    await confirm(`erase the person ${externalId} from Drawbridge, which cannot be undone`);
    await recordAction(deployment, { message: 'erasure requested', ...recordedIds(person, query) }, deps);
    const requests = await erasePerson(externalId, query, {
      api,
      wait,
      onRepeat: () =>
        output.note(
          'Not done yet: events of the person are left, or the bus lacks events of the onboarding. Repeating …',
        ),
    });
    output.answer({ externalId, erased: true, requests }, () => `The person ${externalId} is erased.`);
  });
  documentCommand(erase, {
    examples: ['drawbridge persons erase your-id-of-the-person --env production'],
    json: '`externalId`, `erased`, and how many `requests` it took',
    writes: 'removes what Drawbridge stores about the person. This cannot be undone',
  });
}
