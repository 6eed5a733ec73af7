import type { Command } from 'commander';
import * as z from 'zod';
import { quote } from '#sandbox/terminal/quote.ts';
import { type PersonQuery, personQueryOf } from './person-query.ts';

const ids = z.array(z.string());
const personOptions = z.object({ naturalPerson: ids, verification: ids, onboarding: ids });

const another = (value: string, others: readonly string[]): readonly string[] => [...others, value];

/** How a command takes a person. */
export const personArgument =
  'your id of the person, or the whole id of its onboarding or of the person on the platform';

/** Adds the argument and the options that name a person. */
export function addPersonOptions(command: Command): Command {
  return command
    .argument('<id>', personArgument)
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
    .option(
      '--onboarding <id>',
      'another external id of the same person, or onboardingId: with the id of its onboarding; can be repeated',
      another,
      [],
    );
}

/** The ids that the options give: as query parameters, and as the user would give them again. */
export function readPersonOptions(given: unknown): {
  readonly query: PersonQuery;
  readonly asGiven: readonly string[];
} {
  const { naturalPerson, verification, onboarding } = personOptions.parse(given);
  return {
    query: personQueryOf({ naturalPersons: naturalPerson, verifications: verification, onboardings: onboarding }),
    asGiven: [
      ...naturalPerson.map((id) => `--natural-person ${quote(id)}`),
      ...verification.map((id) => `--verification ${quote(id)}`),
      ...onboarding.map((id) => `--onboarding ${quote(id)}`),
    ],
  };
}
