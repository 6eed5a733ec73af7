import * as z from 'zod';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { recordOperation, recordStart } from '#cli/deployment/record-action.ts';
import { listOpen, moreAtStep } from '#cli/onboardings/list-open.ts';
import { type OnboardingOperation, operate, operateAll, targetsOf } from '#cli/onboardings/operate.ts';
import { readOnboarding } from '#cli/onboardings/read-onboarding.ts';
import { countOf } from '#cli/output/count-of.ts';
import { onboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';
import { parseJson } from '#shared/parse-json.ts';
import { additionalFields } from '#shared/platform/profile/additional-fields.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';
import { defineAction } from './define-action.ts';

const existing = z.object({ externalId: z.string() });

/** Those that the board shows. */
const openOnes = z.object({ step: z.enum(openSteps).optional(), stalled: z.literal('yes').optional() });

const jsonObject = z
  .string()
  .transform(parseJson)
  .pipe(z.record(z.string(), z.unknown(), 'The person is not a JSON object.'));

const newInput = z.object({
  externalId: z.string().min(1, 'The externalId is missing.'),
  // The mode `supplied` is left to programs: it needs the data of an identification.
  mode: z.enum(['video', 'none']),
  person: jsonObject,
});

/** What the API requires of every person. The profile of the platform can add fields, and drops none. */
const { requestedPerson } = naturalPersonBodies({ additionalFields: additionalFields.parse({}), sentFields: {} });

function missingFrom(person: Readonly<Record<string, unknown>>): readonly string[] {
  const { error } = requestedPerson.safeParse({});
  const required = error?.issues.flatMap(({ path: [name] }) => (typeof name === 'string' ? [name] : [])) ?? [];
  return required.filter((name) => person[name] === undefined);
}

/** Writes of the onboarding API, which checks each of them. */
export function createOnboardingActions({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  const { api } = deployment;
  const act = (operation: OnboardingOperation, will: string) =>
    defineAction(existing, async ({ externalId }) => {
      const { step, since } = await readOnboarding(api, externalId);
      return {
        preview: {
          will,
          facts: [
            ['onboarding', externalId.replace(/^onboardingId:/, '')],
            ['step now', step],
            ['since', since],
          ],
          canRun: true,
        },
        run: async () => {
          await recordOperation(deployment, { operation, externalIds: [externalId] }, deps);
          return { message: `The onboarding is at ${(await operate(api, operation, externalId)).step}.` };
        },
      };
    });
  const actOnMany = (operation: OnboardingOperation, will: string) =>
    defineAction(openOnes, async ({ step, stalled }) => {
      const { items: found, hasMore } = await listOpen(api, { step, isStalled: stalled === 'yes' });
      const steps = Object.entries(Object.groupBy(found, (one) => one.step));
      const count = found.length;
      return {
        preview: {
          will: `${will} ${countOf(count, 'onboarding')}`,
          count,
          facts: steps.map(([name, ones = []]) => [name, ones.length] as const),
          ...(hasMore && { lines: [moreAtStep] }),
          canRun: count > 0,
        },
        run: async (onProgress) => {
          const targets = targetsOf(found);
          await recordOperation(deployment, { operation, externalIds: targets.map((one) => one.externalId) }, deps);
          const { results, stoppedBy } = await operateAll(api, operation, targets, (done) => onProgress(done, count));
          const refused = results.filter(({ problem }) => problem !== undefined);
          const done = results.length - refused.length;
          return {
            message: `${countOf(done, 'onboarding')} of ${count} ${operation === 'retry' ? 'continued' : 'ended'}.`,
            lines: [
              ...refused.map(({ externalId, problem }) => `${externalId}: ${problem}`),
              ...(stoppedBy === undefined ? [] : ['The others were not tried.']),
            ],
            isFailure: done < count,
          };
        },
      };
    });
  return {
    retryOnboardings: actOnMany('retry', 'continue'),
    cancelOnboardings: actOnMany('cancel', 'end'),
    retryOnboarding: act('retry', 'continue the onboarding, and call the platform immediately'),
    cancelOnboarding: act('cancel', 'end the onboarding; the person stays on the platform as it is'),
    startOnboarding: defineAction(newInput, async ({ externalId, mode, person }) => ({
      preview: {
        will: `create a person ${mode === 'video' ? 'and a verification ' : ''}on the platform`,
        facts: [
          ['externalId', externalId],
          ['identification', mode],
          ['fields of the person', Object.keys(person).length],
        ],
        lines: missingFrom(person).map((name) => `! ${name} is missing: the API refuses the request`),
        canRun: true,
      },
      run: async () => {
        const body = { externalId, person, identification: { mode } };
        await recordStart(deployment, body, deps);
        const { step } = await api.send({ method: 'POST', path: '/onboardings', body }, onboardingAnswer);
        return {
          message: `The onboarding of ${externalId} is accepted, and at ${step}.`,
          path: requestPath`/onboardings/${externalId}`,
        };
      },
    })),
  };
}
