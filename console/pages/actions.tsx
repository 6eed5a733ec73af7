import { useState } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useRead } from '#console/data/read.ts';
import { useTypedCommands } from '#console/data/session.ts';
import { PageHead } from '#console/parts/facts.tsx';
import { AskForLogs, useLogSearch } from '#console/parts/log-search.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Id } from '#console/parts/words.tsx';

type Action = ReadAnswer<'actions'>['actions'][number];

const ranges = ['7', '30', '365'] as const;

/** What persons did with the deployment, from the log, whose search costs on AWS: there it waits for a click. */
export function ActionsPage() {
  const { isAsked, ask } = useLogSearch();
  const typed = useTypedCommands();
  const [days, setDays] = useState<(typeof ranges)[number]>('30');
  const state = useRead('actions', isAsked ? { days } : undefined);
  return (
    <>
      <PageHead
        title="Actions"
        note="Who read personal data or changed the deployment. CloudTrail says who used an access key."
        actions={ranges.map((range) => (
          <button
            key={range}
            type="button"
            class="button toggle"
            aria-pressed={range === days}
            onClick={() => setDays(range)}
          >
            {range} days
          </button>
        ))}
      />
      {isAsked ? (
        <Shown state={state} lines={12}>
          {({ actions, isAll }) => (
            <>
              {!isAll && (
                <p class="note">
                  {typed(`These are the latest ${actions.length}. drawbridge audit --limit 10000 lists more.`)}
                </p>
              )}
              {actions.length === 0 ? <Empty title="No action is recorded." /> : <Actions actions={actions} />}
            </>
          )}
        </Shown>
      ) : (
        <AskForLogs label="Read the actions" ask={ask} />
      )}
    </>
  );
}

function Actions({ actions }: { readonly actions: readonly Action[] }) {
  return (
    <Table
      caption="Actions, the latest first"
      rows={actions.map((action, index) => ({ ...action, index }))}
      keyOf={({ at, action, index }) => `${at} ${action} ${index}`}
      timeOf={({ at }) => at}
      columns={[
        { title: 'Time', cell: ({ at }) => <Time at={at} /> },
        { title: 'Action', cell: ({ action }) => action },
        { title: 'Access key', cell: ({ accessKeyId }) => accessKeyId ?? '–' },
        { title: 'About', isBelow: true, cell: (action) => <About action={action} /> },
        { title: 'Count', isNumber: true, isMinor: true, cell: ({ size }) => size ?? '' },
        { title: 'Reason', isMinor: true, cell: ({ reason }) => reason ?? '' },
      ]}
    />
  );
}

/** What an action was about. The page of an event, a person or an onboarding has more. */
function About({ action }: { readonly action: Action }) {
  const { queue, onboardingId, naturalPersonIds = [], eventIds = [], messageIds = [] } = action;
  const { rules = [], takeOver = [], remove = [] } = action;
  const ids = [...(onboardingId === undefined ? [] : [onboardingId]), ...naturalPersonIds, ...eventIds, ...messageIds];
  const [first, ...others] = ids;
  return (
    <>
      {[queue, ...rules, ...takeOver, ...remove].join(' ')} {first !== undefined && <Id id={first} />}
      {others.length > 0 && ` and ${others.length} more`}
    </>
  );
}
