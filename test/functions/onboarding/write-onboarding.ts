import { remedies } from '#functions/onboarding/reasons.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { onboardingSteps, onboardingTransitions } from '#shared/onboarding-steps.ts';

/** `docs/onboarding.md`: the steps of an onboarding as a diagram (Mermaid) and as tables, from the data that decide. */
export function writeOnboardingDocument(): string {
  return `${[preface, diagram(), '## Steps', steps(), '## Transitions', transitions(), '## Reasons', reasons()].join('\n\n')}\n`;
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
that waits for the platform or the person, without a failure, never stops by that.

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
