import { addressOf } from '#console/app/router.ts';
import { useRead } from '#console/data/read.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { clockNow, Time } from '#console/parts/time.tsx';
import { Badge, Breakable } from '#console/parts/words.tsx';
import { canReplay, quarantineRemedy } from '#shared/events/quarantine-remedies.ts';
import { DeadLetters } from './dead-letters.tsx';

/** What has no effect: events in quarantine by reason and type, and dead letters. */
export function QuarantinePage() {
  const quarantine = useRead('quarantine', {});
  const letters = useRead('deadLetters', {});
  return (
    <>
      <PageHead
        isActing
        title="Quarantine and dead letters"
        note="What is stored and has no effect. Fix the cause first, then replay."
      />
      <Section
        title="Quarantine"
        actions={
          <ActionButton
            name="replayQuarantine"
            input={{}}
            label="Replay all"
            isDisabled={(quarantine.answer?.count ?? 0) === 0}
            onDone={quarantine.reload}
          />
        }
      >
        <Shown state={quarantine} lines={4}>
          {({ count, counts, oldest }) =>
            count === 0 ? (
              <Empty title="No event is in quarantine." />
            ) : (
              <>
                <p class="note">
                  {count.toLocaleString('en')} {count === 1 ? 'event' : 'events'}, the oldest of{' '}
                  <Time at={oldest} isAge />.
                </p>
                <Table
                  caption="Events in quarantine by reason and type"
                  rows={counts}
                  keyOf={({ quarantineReason, eventType }) => `${quarantineReason} ${eventType}`}
                  href={({ quarantineReason, eventType }) => addressOf('/events', { quarantineReason, eventType })}
                  columns={[
                    { title: 'Reason', cell: ({ quarantineReason }) => <Badge tone="warn">{quarantineReason}</Badge> },
                    { title: 'Type', cell: ({ eventType }) => <Breakable text={eventType} /> },
                    { title: 'Events', isNumber: true, cell: (row) => row.count.toLocaleString('en') },
                    {
                      title: 'Why, and what to do',
                      isBelow: true,
                      cell: ({ quarantineReason }) => {
                        const { means, fix } = quarantineRemedy(quarantineReason);
                        return `${means} ${fix}`;
                      },
                    },
                    { title: 'First deleted', isBelow: true, cell: ({ expiresOn }) => <Deletion at={expiresOn} /> },
                    {
                      title: 'Act',
                      cell: ({ quarantineReason: reason, eventType }) =>
                        canReplay(reason) && (
                          <ActionButton
                            name="replayQuarantine"
                            input={{ reason, eventType }}
                            label="Replay"
                            onDone={quarantine.reload}
                          />
                        ),
                    },
                  ]}
                />
              </>
            )
          }
        </Shown>
      </Section>
      <Section title="Dead letters" note="Messages that a function failed to process too often.">
        <Shown state={letters} lines={4}>
          {(queues) => <DeadLetters queues={queues} onDone={letters.reload} />}
        </Shown>
      </Section>
    </>
  );
}

/** In milliseconds: a deletion that is so near is a warning. */
const warningMs = 7 * 86_400_000;

function Deletion({ at }: { readonly at: string | undefined }) {
  const isSoon = at !== undefined && Date.parse(at) < clockNow() + warningMs;
  return (
    <>
      <Time at={at} /> {isSoon && <Badge tone="warn">soon</Badge>}
    </>
  );
}
