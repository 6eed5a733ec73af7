import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { parseJson } from '#shared/parse-json.ts';
import { createControl } from './control-client.ts';

const profile = z.record(z.string(), z.unknown());

/** Adds `profile show` and `set`: the platform profile of the functions on this machine, without a restart. */
export function addProfileCommand(program: Command, deps: CommandDeps): void {
  const group = program
    .command('profile')
    .description('The platform profile of Drawbridge on this machine. On AWS it is the setting platformProfile.');
  const show = group
    .command('show')
    .description('Shows the platform profile.')
    .action(async () => {
      const { output, control } = createControl(show, deps);
      const current = await control.send({ method: 'GET', path: '/platform-profile' }, profile);
      output.answer(current, () => JSON.stringify(current, undefined, 2));
    });
  documentCommand(show, { examples: ['drawbridge profile show'], json: 'the platform profile' });
  const set = group
    .command('set')
    .description('Changes fields of the platform profile, as the setting and a deployment do on AWS.')
    .argument('<field=value...>', 'a field of the profile and its value in JSON', field, {})
    .action(async (given: unknown) => {
      const { output, control } = createControl(set, deps);
      const fields = profile.parse(given);
      const current = await control.send({ method: 'GET', path: '/platform-profile' }, profile);
      const request = { method: 'PUT', path: '/platform-profile', body: { ...current, ...fields } } as const;
      const changed = await control.send(request, profile);
      output.answer(changed, () => `Changed in the platform profile: ${Object.keys(fields).join(', ')}.`);
      output.note(
        'Events in quarantine stay there until drawbridge quarantine replay. npm start begins with the settings file.',
      );
    });
  documentCommand(set, {
    examples: [
      'drawbridge profile set pageSize=50',
      `drawbridge profile set 'places={"TRANSFER_NOTIFICATION":{"kind":"transfer","id":["transferId","reference"]}}'`,
    ],
    json: 'the changed platform profile',
    writes: 'the laptop, without a question',
  });
}

/** @throws {InvalidArgumentError} */
function field(text: string, others: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [, name, json = ''] = /^([A-Za-z]\w*)=(.*)$/s.exec(text) ?? [];
  const value = parseJson(json);
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('The value must be a field and its value in JSON, such as pageSize=50.');
  return { ...others, [name]: value };
}
