import { can } from '#functions/onboarding/onboarding.ts';
import { remedies } from '#functions/onboarding/reasons.ts';
import { repeatRules } from '#functions/onboarding/repeated-request.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { type OnboardingStep, onboardingSteps, onboardingTransitions, stepRow } from '#shared/onboarding-steps.ts';

/** `docs/onboarding.md`: the steps of an onboarding as a diagram (Mermaid) and as tables, from the data that decide. */
export function writeOnboardingDocument(): string {
  const parts = [
    ...[preface, diagram(), '## Steps', steps(), '## Requests and retries', repeatsIntro, repeats()],
    ...['## Transitions', transitions(), '## Reasons', reasons()],
  ];
  return `${parts.join('\n\n')}\n`;
}

const preface = `# Onboarding

Written by \`test/functions/onboarding/onboarding-document.test.ts\` from \`shared/onboarding-steps.ts\`: change that, not this.

An onboarding is asked for by \`POST /onboardings\` or by an event \`OnboardingRequested\` on the bus. It looks at the platform, goes on
as far as it can, and waits to be woken: by a webhook, or when it is time to look again. Nothing is decided by what a webhook
says. Before a create is sent, it is noted that it will be. Where the answer is lost, the create of a person is sent again: the
platform answers 409 if it has the person, which is then looked for and adopted (\`isExternalIdUnique\` of the platform profile;
where it is false, the person is looked for first). A verification or an identification is looked for before another is sent.

A step that the platform fails is tried again after 5 seconds, then ever more seldom: each back-off is twice the one before, up to
an hour, less up to a fifth by chance. A webhook causes one attempt in each back-off where the step only reads the person or the
verification, and none where an attempt is a create or a walk over a list. So a day has at most 40 creates and 40 walks, whatever
the platform answers. When it has failed for \`onboarding.stopAfterHours\` (${onboardingSettings.parse({}).stopAfterHours}) without a success, and the deadline
of the step has passed, the onboarding is STOPPED with the failure as its reason, and \`/retry\` calls again at once. A step
that waits for the platform or the person, without a failure, never stops by that. While a step backs off, \`GET /onboardings/{externalId}\` shows
\`failing\`: the failure, the number of attempts and the time of the next one. \`/retry\` tries at once.

Each step is published on the bus, at least once, with a \`sequence\`: the highest is the latest. An onboarding is named by
\`onboardingId\`, the SHA-256 of its externalId in hex, since that may be personal data. A step that takes longer than its
deadline is published as \`OnboardingStalled\`, once. \`POST /onboardings/{externalId}/cancel\` ends it wherever it is, and
\`/retry\` gives a step its whole time again, or takes up what has stopped or failed.

Left out of the diagram are the transitions that open steps have in common: \`Stalled\` and \`Resumed\`, which stay at the step,
\`Canceled\` and \`Expired\`; and the statuses of the person that end it, which each step that looks at the person has
(SUSPENDED, BLOCKED, REJECTED, INVALID, DECEASED).`;

const everywhere: ReadonlySet<string> = new Set(['Stalled', 'Resumed', 'Canceled', 'Expired']);
const ends = /^Person(Suspended|Blocked|Rejected|Invalid|Deceased)$/;

function diagram(): string {
  const drawn = onboardingTransitions.filter(({ on }) => !everywhere.has(on) && !ends.test(on));
  const arrows = drawn.map(({ from, to, on }) => `  ${from} --> ${to}: ${on}`);
  const final = onboardingSteps.filter((row) => row.final && drawn.some(({ to }) => to === row.step));
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> REQUESTED',
    ...arrows,
    ...final.map(({ step }) => `  ${step} --> [*]`),
    '```',
  ].join('\n');
}

function steps(): string {
  const deadlines = new Map(Object.entries(onboardingSettings.parse({}).deadlines));
  return writeTable(
    ['Step', 'Meaning', 'Looks at', 'Published as', 'Deadline'],
    onboardingSteps.map(({ step, meaning, looksAt, event, final }) => [
      step,
      meaning,
      final ? 'nothing: it has ended' : looksAt,
      event,
      writeSeconds(deadlines.get(step)),
    ]),
  );
}

function writeSeconds(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const [unit, size] = seconds < 3_600 ? ['min', 60] : ['h', 3_600];
  return `${seconds / size} ${unit}`;
}

const repeatsIntro = `What a call does where the externalId has an onboarding already. A request event on the bus does the same as the \`POST\`: where the
\`POST\` answers 409 or 410, the bus has \`OnboardingRejected\` with the same remedy. "Begins anew" is a 202: the onboarding starts at
REQUESTED, and finds the person and the verification that the platform has. A late copy of a request that was made before the
onboarding ended does not restart it: it gets the 409.`;

const answers = {
  ACCEPTED: '202: nothing changes',
  RESTARTED: '202: begins anew',
  CONFLICT: '409: the fields that differ',
  ENDED: '409',
} as const;

function repeats(): string {
  return writeTable(
    ['Step', 'The same request', 'A request with other data', '`retry`', 'Remedy'],
    [
      ...onboardingSteps.map(({ step }) => {
        const { same, different, remedy } = repeatRules[step];
        return [step, answers[same], answers[different], retryAt(step), remedy];
      }),
      ['erased', '410', '410', '410', 'The person was erased: use another externalId.'],
    ],
  );
}

function retryAt(step: OnboardingStep): string {
  if (can(step, 'Retried') && !stepRow(step).final && step !== 'STOPPED') return '202: calls the platform again';
  if (can(step, 'Resumed')) return '202: looks at the platform at once, and the step gets its whole time again';
  if (step === 'STOPPED') return '202: goes on with the person, or begins anew where there is none yet';
  return can(step, 'Retried') ? '202: goes on with the person; 409 where the platform has none' : '409';
}

function transitions(): string {
  return writeTable(
    ['From', 'On', 'To', 'Then'],
    onboardingTransitions.map(({ from, on, to, waits }) => [from, on, to, waits ? 'waits' : 'goes on']),
  );
}

function reasons(): string {
  return writeTable(
    ['Reason', 'What to do'],
    Object.entries(remedies).map(([code, remedy]) => [code, remedy]),
  );
}

function writeTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
