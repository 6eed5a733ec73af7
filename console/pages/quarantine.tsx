import { useState } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { addressOf } from '#console/app/router.ts';
import { useRead } from '#console/data/read.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { clockNow, Time } from '#console/parts/time.tsx';
import { Badge, Breakable, shortened } from '#console/parts/words.tsx';

type Letters = ReadAnswer<'deadLetters'>;

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
                    { title: 'First deleted', cell: ({ expiresOn }) => <Deletion at={expiresOn} /> },
                    {
                      title: 'Act',
                      cell: ({ quarantineReason: reason, eventType }) => (
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

function DeadLetters({ queues, onDone }: { readonly queues: Letters; readonly onDone: () => void }) {
  const [shown, setShown] = useState<Letters[number]['name'] | undefined>(undefined);
  return (
    <>
      <Table
        caption="Dead-letter queues"
        rows={queues}
        keyOf={({ name }) => name}
        classOf={({ waiting }) => (waiting > 0 ? 'alarming' : '')}
        columns={[
          { title: 'Queue', cell: ({ name }) => name },
          { title: 'Messages', isNumber: true, cell: ({ waiting }) => waiting.toLocaleString('en') },
          {
            title: 'Act',
            cell: ({ name, waiting, canRedrive }) => (
              <span class="actions">
                {waiting > 0 && (
                  <button type="button" class="button" onClick={() => setShown(name)}>
                    Sample
                  </button>
                )}
                {canRedrive && waiting > 0 && <Redrive queue={name} onDone={onDone} />}
              </span>
            ),
          },
        ]}
      />
      {shown !== undefined && <Sample key={shown} queue={shown} />}
    </>
  );
}

function Redrive({ queue, onDone }: { readonly queue: Letters[number]['name']; readonly onDone: () => void }) {
  if (queue !== 'WebhooksDlq' && queue !== 'RequestsDlq' && queue !== 'OnboardingDlq') return null;
  return <ActionButton name="redrive" input={{ queue }} label="Redrive" onDone={onDone} />;
}

type SampleQueue = Parameters<typeof Redrive>[0]['queue'];

function Sample({ queue }: { readonly queue: SampleQueue }) {
  const state = useRead('deadMessages', isDeadLetterQueue(queue) ? { queue } : undefined);
  return (
    <Section title={`Some messages of ${queue}`} note="By their ids: a body can hold personal data.">
      <Shown state={state} lines={3}>
        {(messages) => (
          <Table
            caption={`Messages of ${queue}`}
            rows={messages}
            keyOf={({ messageId }) => messageId}
            href={({ about, id }) => (about === 'event' && id !== undefined ? `/events/${id}` : undefined)}
            columns={[
              { title: 'Sent', cell: ({ sentOn }) => <Time at={sentOn} /> },
              { title: 'Receives', isNumber: true, cell: ({ receives }) => receives },
              { title: 'About', cell: ({ about = '–' }) => about },
              { title: 'Id', isMinor: true, cell: ({ id = '' }) => <code>{shortened(id)}</code> },
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}

function isDeadLetterQueue(
  queue: SampleQueue,
): queue is 'WebhooksDlq' | 'RequestsDlq' | 'OnboardingDlq' | 'TokenRefreshesDlq' | 'MissedRuns' {
  return ['WebhooksDlq', 'RequestsDlq', 'OnboardingDlq', 'TokenRefreshesDlq', 'MissedRuns'].includes(queue);
}
