import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useRead } from '#console/data/read.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { Facts, PageHead, Section } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { durationOf, Time } from '#console/parts/time.tsx';
import { Badge } from '#console/parts/words.tsx';
import { kindNames, kindOf, kindTitles } from './entities.tsx';

type Report = ReadAnswer<'reconciliation'>['reports'][number];
type Gap = Report['gaps'][number];
type LastWalks = ReadAnswer<'lastWalks'>;

/** Whether the entities are as the platform has them. */
export function ReconciliationPage() {
  const state = useRead('reconciliation', {});
  const last = useRead('lastWalks', {});
  const reload = () => {
    state.reload();
    last.reload();
  };
  return (
    <>
      <PageHead
        isActing
        title="Reconciliation"
        note="Drawbridge compares persons, and entities whose check is due, with the platform on a schedule, and repairs differences. You can also do it now."
        actions={
          <>
            <ActionButton name="compare" input={{}} label="Compare" tone="primary" isRead onDone={reload} />
            <ActionButton name="repair" input={{}} label="Repair" onDone={reload} />
          </>
        }
      />
      <Shown state={state} lines={2}>
        {({ drift }) => (
          <Facts
            facts={[
              ['Drift found in the last day', driftText(drift?.found)],
              ['Drift repaired in the last day', driftText(drift?.repaired)],
            ]}
          />
        )}
      </Shown>
      <Section
        title="Last walk"
        note="The last repair that read all persons, whether scheduled or started by an operator."
      >
        <Shown state={last} lines={5}>
          {(walks) => <LastWalk walks={walks} />}
        </Shown>
      </Section>
      <Shown state={state} lines={6}>
        {({ reports }) =>
          reports.length === 0 ? (
            <Section title="Stale and drifted entities">
              <Empty title="This console has listed nothing yet.">
                Compare lists what has drifted, what is stale, and what the platform does not know. It changes nothing.
                Scheduled runs keep only counts.
              </Empty>
            </Section>
          ) : (
            reports.map((report) => <ReportSection key={report.beganOn} report={report} />)
          )
        }
      </Shown>
    </>
  );
}

function driftText(count: number | null | undefined): string {
  if (count === undefined) return 'not known: the metrics cannot be read';
  return count?.toLocaleString('en') ?? 'not measured: no run has written it in the last day';
}

function LastWalk({ walks: { last, underWay, failedRuns } }: { readonly walks: LastWalks }) {
  return (
    <>
      {failedRuns > 0 && (
        <div class="error" role="note">
          <p class="error-title">
            {failedRuns} {failedRuns === 1 ? 'run has' : 'runs in a row have'} failed at the same place.
          </p>
          <p>The log of Reconcile has the error of each run. The next run tries again.</p>
        </div>
      )}
      {underWay !== undefined && (
        <p class="note">
          A walk is under way since <Time at={underWay.beganOn} />, at the {underWay.phase}. The next run continues it.
        </p>
      )}
      {last === undefined ? (
        <Empty title="No walk has ended yet.">The schedule starts one. Repair starts one now.</Empty>
      ) : (
        <>
          <Facts
            facts={[
              [
                'Ended',
                <>
                  <Time at={last.endedOn} />{' '}
                  <span class="none">
                    (<Time at={last.endedOn} isAge />)
                  </span>
                </>,
              ],
              ['Took', durationOf(Date.parse(last.endedOn) - Date.parse(last.beganOn))],
              ['Oldest stale entity', last.oldestStale && <Time at={last.oldestStale} />],
            ]}
          />
          <Counts counts={last.counts} />
        </>
      )}
    </>
  );
}

function titleOf(word: string): string {
  const kind = kindOf(word);
  return kind === undefined ? word : kindTitles[kind];
}

function Counts({ counts }: Pick<Report, 'counts'>) {
  return (
    <Table
      caption="Counts by kind"
      rows={Object.entries(counts)}
      keyOf={([kind]) => kind}
      columns={[
        { title: 'Kind', cell: ([kind]) => titleOf(kind) },
        { title: 'Checked', isNumber: true, cell: ([, { checked }]) => checked },
        { title: 'Drifted', isNumber: true, cell: ([, { drifted }]) => drifted },
        { title: 'Repaired', isNumber: true, isMinor: true, cell: ([, { repaired }]) => repaired },
        { title: 'Stale', isNumber: true, cell: ([, { stale }]) => stale },
        { title: 'Gone', isNumber: true, isMinor: true, cell: ([, { gone }]) => gone },
        { title: 'Unanswered', isNumber: true, isMinor: true, cell: ([, { unanswered }]) => unanswered },
      ]}
    />
  );
}

function ReportSection({ report }: { readonly report: Report }) {
  return (
    <Section
      title={report.mode === 'report' ? 'Compared' : 'Repaired'}
      note={
        <>
          Began at <Time at={report.beganOn} />. {outcomes[report.outcome]}
          {report.furtherGaps > 0 && ` ${report.furtherGaps} more gaps are only in the counts.`}
          {report.oldestStale !== undefined && (
            <>
              {' '}
              The last report about the oldest stale entity is of <Time at={report.oldestStale} />.
            </>
          )}
        </>
      }
    >
      <Counts counts={report.counts} />
      {report.outcome === 'complete' && report.gaps.length === 0 && (
        <Empty title="Nothing has drifted, nothing is stale, and nothing is gone." />
      )}
      {gapWords.map((what) => (
        <Gaps key={what} what={what} gaps={report.gaps.filter((gap) => gap.what === what)} />
      ))}
    </Section>
  );
}

const outcomes: Readonly<Record<Report['outcome'], string>> = {
  complete: 'The walk is complete.',
  'time is over': 'The run ended before the walk was complete.',
  'another run is at work': 'Another run of reconcile is in progress.',
};

const gapWords: readonly Gap['what'][] = ['drifted', 'stale', 'gone', 'unanswered'];

const meanings: Readonly<Record<Gap['what'], string>> = {
  drifted: 'They differ from the platform. A repair takes what the platform says.',
  stale: 'No report came for longer than reconciliation.staleAfterHours. Ask the platform about them.',
  gone: 'The platform does not know them.',
  unanswered: 'The platform did not say. The next walk asks again.',
};

function Gaps({ what, gaps }: { readonly what: Gap['what']; readonly gaps: readonly Gap[] }) {
  if (gaps.length === 0) return null;
  return (
    <>
      <p class="note gap-head">
        <Badge>{what}</Badge> {gaps.length} {gaps.length === 1 ? 'entity' : 'entities'}. {meanings[what]}
      </p>
      <Table
        caption={`Entities: ${what}`}
        rows={gaps}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        href={({ kind, id }) => `/entities/${kind}/${encodeURIComponent(id)}`}
        columns={[
          { title: 'Entity', cell: ({ id }) => <code>{id}</code> },
          { title: 'Kind', isMinor: true, cell: ({ kind }) => kindNames[kind] },
          { title: 'Ours', cell: ({ status }) => (status === undefined ? '–' : <Badge>{status}</Badge>) },
          {
            title: 'The platform',
            cell: ({ platformStatus }) => (platformStatus === undefined ? '–' : <Badge>{platformStatus}</Badge>),
          },
        ]}
      />
    </>
  );
}
