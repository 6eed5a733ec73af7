import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';
import { requestPath } from '#cli/command/request-url.ts';
import { setField, setFields, setHelp, withFields } from '#cli/command/set-option.ts';
import { type ErasureAnswer, erasureAnswer } from '#shared/api/onboarding-answers.ts';

const updateOptions = z.object({ set: setFields, document: z.string().optional() });
const eraseOptions = z.object({ naturalPerson: z.array(z.string()), verification: z.array(z.string()) });

const another = (value: string, others: readonly string[]): readonly string[] => [...others, value];

/** Adds `persons update` and `persons erase`. */
export function addPersonCommands(persons: Command, deps: CommandDeps): void {
  const update = persons
    .command('update')
    .description('Updates a person on the platform. Drawbridge stores nothing of the update.')
    .argument('<external id>', 'your id of the person')
    .argument(
      '[file]',
      'JSON such as {"naturalPersonUpdateData": {"profession": "Engineer"}}, with a documentId where one is needed; - reads the standard input',
    )
    .option('--set <field=value>', `${setHelp}; of the update data`, setField, [])
    .option('--document <id>', 'the document that proves the change, where one is needed')
    .action(async (externalId: string, file: string | undefined, given: unknown) => {
      const { set, document } = updateOptions.parse(given);
      if (file === undefined && set.length === 0)
        throw new CommandError('The update changes no field.', 'drawbridge persons update --help');
      const body = withFields(file === undefined ? {} : readJsonFile(file, deps), [
        ...set.map(({ path, value }) => ({ path: ['naturalPersonUpdateData', ...path], value })),
        ...(document === undefined ? [] : [{ path: ['documentId'], value: document }]),
      ]);
      const { output, connect, confirm } = createContext(update, deps);
      const { api } = await connect();
      await confirm(`update the person ${externalId} on the platform`);
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

  const erase = persons
    .command('erase')
    .description('Erases a person from Drawbridge, and repeats the request until the erasure is complete.')
    .argument('<external id>', 'your id of the person')
    .option(
      '--natural-person <id>',
      'an id of the person on the platform that no onboarding knows; can be repeated',
      another,
      [],
    )
    .option(
      '--verification <id>',
      'an id of a verification of the person that no onboarding knows; can be repeated',
      another,
      [],
    )
    .action(async (externalId: string, given: unknown) => {
      const { naturalPerson, verification } = eraseOptions.parse(given);
      const { output, connect, confirm } = createContext(erase, deps);
      const { api } = await connect();
      await confirm(`erase the person ${externalId} from Drawbridge, which cannot be undone`);
      const erasure = z.optional(erasureAnswer);
      let query: Readonly<Record<string, string | undefined>> = {
        naturalPersonId: naturalPerson.join(',') || undefined,
        identificationVerificationId: verification.join(',') || undefined,
      };
      let requests = 0;
      for (;;) {
        const request = { method: 'DELETE', path: requestPath`/persons/${externalId}`, query } as const;
        const answer: ErasureAnswer | undefined = await api.send(request, erasure);
        requests += 1;
        if (answer === undefined) break;
        output.note('Events are left that may name the person: the request is repeated.');
        const { message: _, ...next } = answer;
        query = next;
      }
      output.answer({ externalId, erased: true, requests }, () => `The person ${externalId} is erased.`);
    });
  documentCommand(erase, {
    examples: ['drawbridge persons erase your-id-of-the-person --env production'],
    json: '`externalId`, `erased`, and how many `requests` it took',
    writes: 'removes what Drawbridge stores about the person. This cannot be undone',
  });
}
