import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import type { Output } from '#cli/output/output.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import type { PersonAnswer } from '#shared/api/onboarding-answers.ts';
import { version } from '#shared/version.ts';
import type { PersonQuery } from './person-query.ts';
import { readPerson, recordedIds } from './preview-person.ts';
import { type PersonExport, readExport } from './read-export.ts';

export type ExportProps = {
  readonly externalId: string;
  readonly query: PersonQuery;
  /** What was found of the person before. */
  readonly found: PersonAnswer;
  readonly output: Pick<Output, 'note'>;
};

/** All that is stored of a person as one document, which holds personal data. */
export type PersonDocument = PersonExport & {
  readonly externalId: string;
  readonly exportedOn: string;
  readonly environment: string;
  readonly version: string;
};

/** Reads all that is stored of a person. The log records it before. @throws {CommandError} */
export async function exportPerson(
  deployment: Deployment,
  { externalId, query, found, output }: ExportProps,
  deps: Pick<CommandDeps, 'fetch' | 'now' | 'newId' | 'wait'>,
): Promise<PersonDocument> {
  const { api, environment } = deployment;
  await recordAction(deployment, { message: 'export requested', ...recordedIds(found, query) }, deps);
  const person = await readPerson(externalId, { ...query, request: 'include' }, { api, output, wait: deps.wait });
  const onboardingIds = [...new Set([person.onboardingId, ...(query.onboardingId?.split(',') ?? [])])];
  const exportedOn = (await readClock(deployment, deps)).toISOString();
  return { externalId, exportedOn, environment, version, ...(await readExport(api, person, onboardingIds)) };
}
