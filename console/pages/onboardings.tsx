import { useMemo } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { addressOf, navigate, usePlace } from '#console/app/router.ts';
import { liveLines } from '#console/data/live.ts';
import { isOfBoard } from '#console/data/matching-lines.ts';
import { useRead } from '#console/data/read.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { Deadline } from '#console/parts/deadline.tsx';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, shortened } from '#console/parts/words.tsx';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';

type Column = ReadAnswer<'board'>[number];
type Listed = Column['items'][number];

export const pathOfOnboarding = ({ onboardingId }: Pick<Listed, 'onboardingId'>) =>
  `/onboardings/${encodeURIComponent(`onboardingId:${onboardingId}`)}`;

/** Open onboardings as a board by step, and the latest ones as a list. */
export function OnboardingsPage() {
  const { query } = usePlace();
  const step = query.get('step') ?? '';
  const stalled = query.get('stalled') === 'yes' ? ('yes' as const) : undefined;
  const openStep = openSteps.find((word) => word === step);
  const filter = { ...(openStep && { step: openStep }), ...(stalled && { stalled }) };
  const board = useRead('board', { step, ...(stalled && { stalled }) });
  const count = (board.answer ?? []).reduce((sum, { items }) => sum + items.length, 0);
  const isFiltered = step !== '' || stalled !== undefined;
  const all = query.get('all') ?? '';
  const isAll = all === 'yes';
  const shownIds = new Set((board.answer ?? []).flatMap(({ items }) => items.map(({ onboardingId }) => onboardingId)));
  const lines = useSharedValue(liveLines);
  const latestRead = useMemo(() => lines[0]?.number ?? 0, [board.answer]);
  const changes = lines.filter(
    (line) => line.number > latestRead && isOfBoard(line, { step, isStalled: stalled !== undefined }, shownIds),
  ).length;
  return (
    <>
      <PageHead
        title="Onboardings"
        note="Open onboardings by step, the longest at its step first. A bar shows the age against the deadline of the step."
        isActing
        actions={
          <>
            {isFiltered && (
              <>
                <ActionButton
                  name="retryOnboardings"
                  input={filter}
                  label={`Retry these ${count}`}
                  isDisabled={count === 0}
                  onDone={board.reload}
                />
                <ActionButton
                  name="cancelOnboardings"
                  input={filter}
                  label={`Cancel these ${count}`}
                  tone="danger"
                  isDisabled={count === 0}
                  onDone={board.reload}
                />
              </>
            )}
            <a class="button" href={addressOf('/onboardings', { step, stalled: stalled ? '' : 'yes', all })}>
              {stalled ? 'Show all open' : 'Show only stalled'}
            </a>
            <a class="button primary" href="/onboardings/new">
              Start one
            </a>
          </>
        }
      />
      {changes > 0 && (
        <button type="button" class="fresh" onClick={board.reload}>
          Show {changes} {changes === 1 ? 'change' : 'changes'}
        </button>
      )}
      <Shown state={board} lines={8}>
        {(shown) =>
          shown.length === 0 ? (
            <Empty title={emptyTitle(step, stalled)}>
              {!isFiltered ? (
                'Start one, or let your system request one.'
              ) : (
                <a href={addressOf('/onboardings', { all })}>Show every step</a>
              )}
            </Empty>
          ) : (
            <div class="board">
              {shown.map((column) => (
                <BoardColumn key={column.step} column={column} all={all} />
              ))}
            </div>
          )
        }
      </Shown>
      <Section
        title="All"
        actions={
          <button
            type="button"
            class="button"
            aria-expanded={isAll}
            onClick={() => navigate(addressOf('/onboardings', { step, all: isAll ? '' : 'yes' }), true)}
          >
            {isAll ? 'Hide' : 'Show the latest, ended ones too'}
          </button>
        }
      >
        {isAll ? <Latest /> : null}
      </Section>
    </>
  );
}

function emptyTitle(step: string, stalled: 'yes' | undefined): string {
  if (stalled !== undefined) return 'No onboarding is over the deadline of its step.';
  return step === '' ? 'No onboarding is open.' : `No onboarding is at ${step}.`;
}

function BoardColumn({
  column: { step, meaning, items, hasMore },
  all,
}: {
  readonly column: Column;
  readonly all: string;
}) {
  return (
    <section class={step === 'STOPPED' ? 'board-column warn' : 'board-column'}>
      <h2>
        <a href={addressOf('/onboardings', { step, all })}>{step}</a>
        <span class="none">{hasMore ? `${items.length}+` : items.length}</span>
      </h2>
      <p class="none board-meaning">{meaning}</p>
      <ul>
        {items.map((item) => (
          <li key={item.onboardingId}>
            <a href={pathOfOnboarding(item)} data-row class="card">
              <code>{shortened(item.onboardingId)}</code>
              {item.naturalPersonId !== undefined && (
                <span class="none">
                  person <code>{shortened(item.naturalPersonId)}</code>
                </span>
              )}
              <Deadline {...item} />
              {(item.reasons[0]?.code ?? item.failing?.code) !== undefined && (
                <Badge tone="bad">{item.reasons[0]?.code ?? item.failing?.code ?? ''}</Badge>
              )}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Latest() {
  const state = useRead('onboardings', {});
  return (
    <Shown state={state}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="There is no onboarding yet." />
        ) : (
          <Table
            caption="Onboardings"
            rows={items}
            keyOf={({ onboardingId }) => onboardingId}
            href={pathOfOnboarding}
            columns={[
              { title: 'Onboarding', cell: ({ onboardingId }) => <code>{shortened(onboardingId)}</code> },
              { title: 'Step', cell: ({ step }) => <Badge>{step}</Badge> },
              { title: 'Since', cell: ({ since }) => <Time at={since} isAge /> },
              {
                title: 'Person',
                isMinor: true,
                cell: ({ naturalPersonId = '' }) => <code>{shortened(naturalPersonId)}</code>,
              },
            ]}
          />
        )
      }
    </Shown>
  );
}
