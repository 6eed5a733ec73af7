import * as z from 'zod';
import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { repeatRuleAt } from '#functions/onboarding/accept/accept-request.ts';
import { remedies } from '#functions/onboarding/api/routes.ts';
import { accepts, onboardingTransitions } from '#functions/onboarding/state-machine/transitions.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { type OnboardingStep, onboardingSteps, stepRow } from '#shared/onboarding/onboarding-steps.ts';

/** `docs/reference/onboarding-steps.md`: the steps of an onboarding as a diagram (Mermaid) and as tables, from the data that decide. */
export function writeOnboardingSteps(): string {
  const parts = [
    ...[preface, diagram(), '## Steps', steps(), '## Requests and retries', repeatsIntro, repeats()],
    ...['## Transitions', transitions(), '## Reasons', reasons()],
  ];
  return `${parts.join('\n\n')}\n`;
}

const preface = `${generated}

# Onboarding steps

*For engineers who follow onboardings, and operators who act on them.* [Onboard a person](../how-to/onboard.md) shows the calls.

An onboarding reads the platform, continues as far as it can, and waits for a webhook, or for the time of its next attempt. Only what the platform answers
decides, never what a webhook says.

- **Creates.** If the answer to the create of a person is lost, it is sent again. After a 409 the person is found and adopted. A verification or an
  identification is searched for before another one is sent.
- **Back-off.** A step that the platform fails is tried again after 5 seconds, then after twice as long each time, up to an hour, less up to a fifth at random.
  A webhook causes an attempt immediately if the step only reads and its last read did not fail. It causes none while the step fails, or if the step
  creates or walks over a list.
- **Stop.** A step that has failed for \`onboarding.stopAfterHours\` (${onboardingSettings.parse({}).stopAfterHours}) without a success, and has passed its deadline, stops the onboarding: it is
  STOPPED, with the failure as its reason. Without a failure, a step stops at its deadline only if its person cannot be found.
- **Stall.** A step that takes longer than its deadline is published as \`OnboardingStalled\`, once.

The diagram leaves out what most open steps have in common: [the table](#transitions) has it. A person that is ACTIVE completes the onboarding, regardless of
what the step waits for. With a status that no setting explains the onboarding waits
([declare it](../how-to/declare-statuses.md#say-what-a-status-of-a-verification-means)).`;

type Transition = (typeof onboardingTransitions)[number];

const everywhere: ReadonlySet<string> = new Set(['Stalled', 'Resumed', 'Canceled', 'Expired', 'Stopped']);
const ends = /^Person(Suspended|Blocked|Rejected|Invalid|Deceased)$/;

/** Whether the table has the transition, and not the diagram. */
const isInTable = ({ from, on }: Transition) =>
  everywhere.has(on) || ends.test(on) || (on === 'PersonActivated' && from !== 'AWAITING_ACTIVATION');

function diagram(): string {
  const drawn = onboardingTransitions.filter((one) => !isInTable(one));
  const arrows = Map.groupBy(drawn, ({ from, to }) => `  ${from} --> ${to}: `);
  const final = onboardingSteps.filter((row) => row.final && drawn.some(({ to }) => to === row.step));
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> REQUESTED',
    ...[...arrows].map(([arrow, events]) => arrow + events.map(({ on }) => on).join(', ')),
    ...final.map(({ step }) => `  ${step} --> [*]`),
    '```',
  ].join('\n');
}

function steps(): string {
  const deadlines = new Map(Object.entries(onboardingSettings.parse({}).deadlines));
  const others = Map.groupBy(
    onboardingSteps.filter(({ event }) => event !== 'OnboardingProgressed'),
    ({ event }) => event,
  );
  const published = [...others].map(([event, steps]) => `\`${event}\` (${steps.map(({ step }) => step).join(', ')})`);
  return [
    `Each step is published as \`OnboardingProgressed\`, but for ${published.join(', ')}.`,
    writeTable(
      ['Step', 'Meaning', 'Reads', 'Deadline'],
      onboardingSteps.map(({ step, meaning, reads, final }) => [
        step,
        meaning,
        final ? '' : reads,
        writeSeconds(deadlines.get(step)),
      ]),
    ),
  ].join('\n\n');
}

function writeSeconds(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const [unit, size] = seconds < 3_600 ? ['min', 60] : ['h', 3_600];
  return `${seconds / size} ${unit}`;
}

const repeatsIntro = `What a call does if the externalId already has an onboarding. A request event on the bus does the same as the \`POST\`; a 409 or 410 is
\`OnboardingRejected\` there. "Begins again" means that the onboarding starts at REQUESTED, and finds the person and the verification that the platform has. A
late copy of a request from before the end gets the 409. Until the platform has the person, the 409 to other data names the fields that
differ. \`/cancel\` ends an onboarding at any open step. Each 409 and 410 has a \`remedy\`: what you can do next.`;

const answers = {
  ACCEPTED: '202: nothing changes',
  RESTARTED: '202: begins again',
  RETRY_FIRST: '409; 202 and begins again if data that a retry needs was deleted',
  CONFLICT: '409',
  ENDED: '409',
} as const;

function repeats(): string {
  const cellsAt = (step: OnboardingStep) => {
    const { same, different } = repeatRuleAt(step);
    return [answers[same], answers[different], retryAt(step)];
  };
  const rows = Map.groupBy(onboardingSteps, ({ step }) => cellsAt(step).join());
  return writeTable(
    ['Step', 'The same request', 'A request with other data', '`retry`'],
    [
      ...[...rows.values()].map((steps) => [
        steps.map(({ step }) => step).join(', '),
        ...steps.slice(0, 1).flatMap(({ step }) => cellsAt(step)),
      ]),
      ['erased', '410', '410', '410'],
    ],
  );
}

function retryAt(step: OnboardingStep): string {
  if (accepts(step, 'Retried') && !stepRow(step).final && step !== 'STOPPED') return '202: calls the platform again';
  if (accepts(step, 'Resumed'))
    return '202: reads the platform immediately, and the step gets its whole deadline again';
  if (step === 'STOPPED') return '202: continues with the person, or begins again if there is none yet';
  return accepts(step, 'Retried')
    ? '202: continues with the person; 409 if the platform has none, or if data that it needs was deleted'
    : '409';
}

function transitions(): string {
  const groups = Map.groupBy(onboardingTransitions.filter(isInTable), ({ from, on, to }) =>
    JSON.stringify([on, from === to ? 'the same step' : to]),
  );
  return writeTable(
    ['On', 'From', 'To'],
    [...groups].map(([key, group]) => {
      const [on, to] = z.tuple([z.string(), z.string()]).parse(JSON.parse(key));
      return [on, manySteps(group.map(({ from }) => from)), to];
    }),
  );
}

/** The names of steps, or of those that are left out if these are fewer. */
function manySteps(steps: readonly OnboardingStep[]): string {
  const open = onboardingSteps.filter(({ final }) => !final).map(({ step }) => step);
  const others = open.filter((step) => !steps.includes(step));
  if (!steps.every((step) => open.includes(step)) || others.length > steps.length) return steps.join(', ');
  return others.length === 0 ? 'every open step' : `every open step but ${others.join(', ')}`;
}

function reasons(): string {
  return writeTable(
    ['Reason', 'What to do'],
    Object.entries(remedies).map(([code, remedy]) => [code, remedy]),
  );
}
