import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useRead } from '#console/data/read.ts';
import { Section } from '#console/parts/facts.tsx';
import { AskForLogs, useLogSearch } from '#console/parts/log-search.tsx';
import { Picture } from '#console/parts/picture.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge } from '#console/parts/words.tsx';
import { kindNames, kindOf } from './entities.tsx';
import { inWords } from './history-words.ts';

export type Onboarding = ReadAnswer<'onboarding'>;

type History = ReadAnswer<'onboardingHistory'>;

export type OnboardingStatesProps = {
  readonly externalId: string;
  readonly onboarding: Onboarding;
  readonly direction: 'LR' | 'TB';
};

/** The steps as a diagram, and what happened. The path is in the log, whose search costs on AWS: there it waits for a click. */
export function OnboardingStates({ externalId, onboarding, direction }: OnboardingStatesProps) {
  const { isAsked, ask } = useLogSearch();
  // Another version has another history.
  const query = { externalId, direction, sequence: String(onboarding.sequence) };
  const history = useRead('onboardingHistory', isAsked ? query : undefined);
  const diagram = history.answer?.diagram ?? onboarding.diagram;
  return (
    <>
      <Section
        title="Steps"
        note="The coloured box is the current step, and the bold arrows lead to it. A dashed arrow is a detour."
      >
        <Picture svg={diagram} label={wordsOf(onboarding, history.answer)} className="states onboarding" />
      </Section>
      <Section
        title="History"
        note="Steps and failed calls from the log, and what the platform reported, the latest first."
      >
        {isAsked ? (
          <Shown state={history} lines={5}>
            {({ entries }) => <Entries entries={entries} />}
          </Shown>
        ) : (
          <AskForLogs label="Read the history" ask={ask} />
        )}
      </Section>
    </>
  );
}

function wordsOf({ step, meaning }: Onboarding, history: History | undefined): string {
  const path =
    history?.entries.flatMap(({ what, step: at }) => (what === 'step' && at !== undefined ? [at] : [])) ?? [];
  return `The steps of the onboarding: now ${step}, ${meaning}. Its path: ${path.join(', ') || 'not read'}.`;
}

function Entries({ entries }: Pick<History, 'entries'>) {
  if (entries.length === 0)
    return <Empty title="The log has nothing about it.">The log no longer keeps its lines: they are too old.</Empty>;
  return (
    <Table
      caption="History of the onboarding"
      rows={entries.map((entry, number) => ({ ...entry, number })).toReversed()}
      keyOf={({ number }) => String(number)}
      timeOf={({ at }) => at}
      href={({ eventId }) => (eventId === undefined ? undefined : `/events/${eventId}`)}
      columns={[
        { title: 'Time', cell: ({ at }) => <Time at={at} /> },
        { title: 'What', isMinor: true, cell: ({ what }) => <Badge tone={tones[what]}>{what}</Badge> },
        { title: 'Step', cell: ({ step }) => (step === undefined ? '' : <Badge>{step}</Badge>) },
        { title: 'Happened', cell: wordsOfEntry },
      ]}
    />
  );
}

/** A report begins with the kind of its entity. */
function wordsOfEntry({ what, text }: History['entries'][number]): string {
  if (what !== 'report') return inWords(text);
  const [first = '', ...rest] = text.split(': ');
  const kind = kindOf(first);
  return [kind === undefined ? first : kindNames[kind], ...rest].join(': ');
}

const tones = { step: 'accent', call: 'warn', report: 'plain' } as const satisfies Record<
  History['entries'][number]['what'],
  string
>;
