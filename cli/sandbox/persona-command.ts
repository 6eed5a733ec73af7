import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { requestPath } from '#cli/command/request-url.ts';
import { commandAbout, quote } from '#sandbox/terminal/quote.ts';
import { addControlOption, createControl } from './control-client.ts';

export const personas = z.array(z.object({ persona: z.string(), lastName: z.string(), means: z.string() }));

const created = z.object({ naturalPersonId: z.string(), lastName: z.string() });

const createOptions = z.object({ externalId: z.string().optional(), control: z.string().optional() });

const onboarding = z.looseObject({ externalId: z.string() });

const accepted = z.looseObject({ onboardingId: z.string(), step: z.string() });

/** Adds `persona ls`, `create` and `onboard`: persons with an outcome of their own. */
export function addPersonaCommand(program: Command, deps: CommandDeps): void {
  const group = program
    .command('persona')
    .description('Test persons, each with an outcome of its own on the sandbox platform.');

  const ls = addControlOption(group.command('ls').description('Lists the personas and the outcome of each.')).action(
    async () => {
      const { output, control } = createControl(ls, deps);
      output.list(await control.send({ method: 'GET', path: '/personas' }, personas), {
        head: ['persona', 'last name', 'outcome'],
        row: ({ persona, lastName, means }) => [persona, lastName, means],
        none: 'There is no persona.',
      });
    },
  );
  documentCommand(ls, {
    examples: ['drawbridge persona ls'],
    json: '`persona`, `lastName` and `means` of each persona, one a line',
  });

  const create = addControlOption(
    group
      .command('create')
      .description('Creates a persona on the sandbox platform, without Drawbridge.')
      .argument('<persona>', 'a persona of drawbridge persona ls')
      .option('--external-id <text>', 'the id in your system'),
  ).action(async (persona: string, given: unknown) => {
    const { externalId, control: origin } = createOptions.parse(given);
    const { output, control } = createControl(create, deps);
    const answer = await control.send({ method: 'POST', path: '/personas', body: { persona, externalId } }, created);
    output.answer(answer, () => answer.naturalPersonId);
    output.note(
      origin === undefined
        ? `To see what the webhooks reported: ${commandAbout('drawbridge persons show', answer.naturalPersonId, '--timeline')}`
        : `To see the deliveries: drawbridge deliveries ls --contains ${quote(answer.naturalPersonId)} --control ${quote(origin)}`,
    );
  });
  documentCommand(create, {
    examples: ['drawbridge persona create suspended'],
    json: '`naturalPersonId` and `lastName`',
    writes: 'the sandbox platform, without a question',
  });

  const onboard = group
    .command('onboard')
    .description('Onboards a persona through Drawbridge, with a video call.')
    .argument('<persona>', 'a persona of drawbridge persona ls')
    .action(async (persona: string) => {
      const { output, control } = createControl(onboard, deps);
      const path = requestPath`/personas/${persona}/onboarding`;
      const body = await control.send({ method: 'GET', path }, onboarding);
      const { api } = await createContext(onboard, deps).connect();
      const { onboardingId, step } = await api.send({ method: 'POST', path: '/onboardings', body }, accepted);
      const { externalId } = body;
      output.answer({ externalId, onboardingId, step }, () => `${externalId}  ${onboardingId}  ${step}`);
      output.note(`To follow it: ${commandAbout('drawbridge onboardings show', externalId)}`);
    });
  documentCommand(onboard, {
    examples: ['drawbridge persona onboard unidentified'],
    json: '`externalId`, `onboardingId` and `step`',
    writes: 'the laptop, without a question',
  });
}
