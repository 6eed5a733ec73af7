import { resolve } from 'node:path';
import * as z from 'zod';
import { CommandError, messageOf } from '#cli/command/command-error.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { exportPerson } from '#cli/entities/export-person.ts';
import { erasePerson, personQueryOf } from '#cli/entities/person-query.ts';
import {
  countPerson,
  type RefusedCommand,
  readPerson,
  recordedIds,
  refuseOthers,
} from '#cli/entities/preview-person.ts';
import { countOf } from '#cli/output/count-of.ts';
import { writePrivateFile } from '#cli/output/private-file.ts';
import type { PersonAnswer } from '#shared/api/onboarding-answers.ts';
import { entityName } from '#shared/entities/entity-row.ts';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';
import { defineAction, type Preview } from './define-action.ts';

/** Ids as a form has them, with commas or spaces in between. */
const ids = z.string().transform((text) => text.split(/[\s,]+/).filter((id) => id !== ''));

const input = z.object({
  externalId: z.string().trim().min(1, 'The externalId is missing.'),
  naturalPersons: ids,
  verifications: ids,
  onboardings: ids,
});

/** The lines that a preview shows: a person can have thousands of events. */
const maxLines = 200;

/** Exports and erases what is stored of a person, as `persons export` and `persons erase` do. */
export function createPersonActions({
  deployment,
  deps,
  folder,
}: Pick<ConsoleContext, 'deployment' | 'deps' | 'folder'>) {
  const { api } = deployment;
  const output = { note: () => undefined };

  async function find(given: z.output<typeof input>, command: RefusedCommand['command']) {
    const { externalId, ...others } = given;
    const query = personQueryOf(others);
    const found = await readPerson(externalId, query, { api, output, wait: deps.wait });
    refuseOthers(externalId, found, { command, asGiven: [] });
    return { externalId, query, found };
  }

  return {
    erasePerson: defineAction(input, async (given) => {
      const { externalId, query, found } = await find(given, 'erase');
      return {
        preview: {
          ...previewOf(found, '- '),
          will: `erase the person ${externalId} from Drawbridge, which cannot be undone`,
          typed: externalId,
        },
        run: async () => {
          await recordAction(deployment, { message: 'erasure requested', ...recordedIds(found, query) }, deps);
          await erasePerson(externalId, query, { api, wait: deps.wait });
          return { message: `The person ${externalId} is erased.` };
        },
      };
    }),
    exportPerson: defineAction(input, async (given) => {
      const { externalId, query, found } = await find(given, 'export');
      const exports = resolve(folder, 'exports');
      return {
        preview: {
          ...previewOf(found, ''),
          will: `write all that is stored of the person ${externalId}, which is personal data, to a file in ${exports}`,
        },
        run: async () => {
          const document = await exportPerson(deployment, { externalId, query, found, output }, deps);
          const name = `${found.onboardingId.slice(0, 16)}-${deps.newId()}.json`;
          const file = write(exports, name, `${JSON.stringify(document, undefined, 2)}\n`);
          const events = document.events.length + document.keptEvents.length;
          return {
            message: `${file} has ${countOf(events, 'event')} and ${countOf(document.entities.length, 'entity', 'entities')} of ${externalId}.`,
            ...(!document.isComplete && {
              lines: ['The person has more events than one request lists: the document does not have all of them.'],
            }),
          };
        },
      };
    }),
  };
}

/** What an erasure removes and what it keeps, as counts and as ids. @param mark of what it removes */
function previewOf(found: PersonAnswer, mark: '- ' | ''): Omit<Preview, 'will'> {
  const { removed, kept } = countPerson(found);
  const { onboardingId, onboarding, naturalPersonIds, identificationVerificationIds, events } = found;
  const hasOnboarding = onboarding !== undefined && onboarding !== 'ERASED';
  const isOpen = mark !== '' && openSteps.some((step) => step === onboarding);
  const lines = [
    ...(isOpen ? [`! the onboarding is open, at ${onboarding}: cancel it first, or the API refuses`] : []),
    ...(hasOnboarding ? [`${mark}onboarding ${onboardingId}, ${onboarding}`] : []),
    ...naturalPersonIds.map((id) => `${mark}natural-person ${id}`),
    ...identificationVerificationIds.map((id) => `${mark}identification-verification ${id}`),
    ...events.map(({ eventId, eventType }) => `${mark}${eventType} ${eventId}`),
    ...found.kept.map(
      ({ eventId, eventType, entity }) =>
        `kept: ${eventType} ${eventId}${entity === undefined ? '' : `, about ${entityName(entity)}`}`,
    ),
  ];
  const left = lines.length - maxLines;
  return {
    facts: [
      ['stored of the person', removed],
      ['stays after an erasure', kept],
    ],
    lines: left > 0 ? [...lines.slice(0, maxLines), `and ${left} more`] : lines,
    canRun: lines.length > 0,
  };
}

function write(folder: string, name: string, text: string): string {
  try {
    return writePrivateFile(folder, name, text);
  } catch (cause) {
    throw new CommandError(
      `The export cannot be written to ${folder}: ${messageOf(cause)}`,
      'start the console in a folder that you may write to.',
      { cause },
    );
  }
}
