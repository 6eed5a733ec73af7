import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useRead } from '#console/data/read.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { Facts, PageHead, Section } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge } from '#console/parts/words.tsx';

type Walk = ReadAnswer<'reconciliation'>['walks'][number];

/** Whether the entities are as the platform has them. */
export function ReconciliationPage() {
  const state = useRead('reconciliation', {});
  return (
    <>
      <PageHead
        title="Reconciliation"
        note="A schedule compares every entity with the platform, and repairs what differs. Here you can do it now."
        actions={
          <>
            <ActionButton name="compare" input={{}} label="Compare" tone="primary" isRead onDone={state.reload} />
            <ActionButton name="repair" input={{}} label="Repair" onDone={state.reload} />
          </>
        }
      />
      <Shown state={state} lines={6}>
        {({ driftFound, walks }) => (
          <>
            <Facts
              facts={[
                [
                  'Drift that the schedule found in the last day',
                  driftFound?.toLocaleString('en') ?? 'not known: no walk has ended, or the metrics cannot be read',
                ],
                ['Walks of this console', walks.length],
              ]}
            />
            {walks.length === 0 ? (
              <Empty title="This console has not compared yet.">
                Compare lists what has drifted, what is stale, and what the platform does not know. It changes nothing.
              </Empty>
            ) : (
              walks.map((walk) => <WalkReport key={walk.beganOn} walk={walk} />)
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function WalkReport({ walk }: { readonly walk: Walk }) {
  return (
    <Section
      title={walk.mode === 'report' ? 'Compared' : 'Repaired'}
      note={
        <>
          Began at <Time at={walk.beganOn} />, {walk.outcome}.
          {walk.furtherGaps > 0 && ` ${walk.furtherGaps} more gaps are in the counts alone.`}
          {walk.onboardingsDue > 0 && ` ${walk.onboardingsDue} onboardings have waited too long.`}
        </>
      }
    >
      <Table
        caption="Counts by kind"
        rows={Object.entries(walk.counts)}
        keyOf={([kind]) => kind}
        columns={[
          { title: 'Kind', cell: ([kind]) => kind },
          { title: 'Checked', isNumber: true, cell: ([, { checked }]) => checked },
          { title: 'Drifted', isNumber: true, cell: ([, { drifted }]) => drifted },
          { title: 'Repaired', isNumber: true, cell: ([, { repaired }]) => repaired },
          { title: 'Stale', isNumber: true, isMinor: true, cell: ([, { stale }]) => stale },
          { title: 'Gone', isNumber: true, isMinor: true, cell: ([, { gone }]) => gone },
          { title: 'Unanswered', isNumber: true, isMinor: true, cell: ([, { unanswered }]) => unanswered },
        ]}
      />
      {walk.gaps.length > 0 && (
        <Table
          caption="Gaps"
          rows={walk.gaps}
          keyOf={({ kind, id, what }) => `${kind} ${id} ${what}`}
          href={({ kind, id }) => `/entities/${kind}/${encodeURIComponent(id)}`}
          columns={[
            { title: 'Entity', cell: ({ id }) => <code>{id}</code> },
            { title: 'Gap', cell: ({ what }) => <Badge>{what}</Badge> },
            { title: 'Ours', cell: ({ status }) => (status === undefined ? '–' : <Badge>{status}</Badge>) },
            {
              title: 'The platform',
              cell: ({ platformStatus }) => (platformStatus === undefined ? '–' : <Badge>{platformStatus}</Badge>),
            },
          ]}
        />
      )}
    </Section>
  );
}
