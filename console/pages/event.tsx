import { useEffect, useState } from 'preact/hooks';
import type { EventAbout } from '#cli/console/reads/event-abouts.ts';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { liveLines } from '#console/data/live.ts';
import { useOnClick } from '#console/data/on-click.ts';
import { read, useRead } from '#console/data/read.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { Facts, PageHead, Section } from '#console/parts/facts.tsx';
import { JsonView, TextDifference } from '#console/parts/json-view.tsx';
import { LineTable } from '#console/parts/line-table.tsx';
import { AskForLogs, useLogSearch } from '#console/parts/log-search.tsx';
import { RemedyOf } from '#console/parts/remedy.tsx';
import { Empty, ErrorPanel, Loading, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time, timeText } from '#console/parts/time.tsx';
import { Badge, Breakable, Id } from '#console/parts/words.tsx';
import { canReplay, quarantineRemedy } from '#shared/events/quarantine-remedies.ts';
import { EntityLink } from './entities.tsx';
import { eventIdPattern } from './event-filter.tsx';

type Stored = ReadAnswer<'event'>;

/** One webhook: when it came, what it changed, and its body when an operator asks for it. */
export function EventPage({ eventId }: { readonly eventId: string }) {
  const isId = eventIdPattern.test(eventId);
  const state = useRead('event', isId ? { eventId } : undefined);
  if (!isId)
    return (
      <>
        <PageHead trail={<a href="/events">Events</a>} title="Event" />
        <Empty title="This is not the id of an event.">
          An id of an event has 64 characters: digits, and letters from a to f. To find another id, press /.
        </Empty>
      </>
    );
  return (
    <>
      <PageHead
        isActing
        trail={<a href="/events">Events</a>}
        title={<Breakable text={state.answer?.eventType ?? 'Event'} />}
        actions={
          state.answer !== undefined && isReplayable(state.answer) ? (
            <ActionButton
              name="replayEvent"
              input={{ eventId, isAnyEvent: state.answer.quarantineReason === undefined }}
              label="Replay"
              onDone={state.reload}
            />
          ) : undefined
        }
      />
      <Shown state={state}>
        {(event) => (
          <>
            <Facts
              facts={[
                ['Event id', <Id id={eventId} isWhole />],
                [
                  'Received',
                  <>
                    <Time at={event.receivedOn} hasZone />{' '}
                    <span class="none">
                      (<Time at={event.receivedOn} isAge />)
                    </span>
                  </>,
                ],
                ['Deliveries', `${event.deliveries}${event.deliveries > 1 ? ', stored once' : ''}`],
                ['State', stateOf(event)],
                ['Body', event.bodyBytes === undefined ? undefined : `${event.bodyBytes.toLocaleString('en')} bytes`],
                ['Erased', event.erasedOn === undefined ? undefined : <Time at={event.erasedOn} />],
              ]}
            />
            {event.quarantineReason !== undefined && (
              <RemedyOf remedy={quarantineRemedy(event.quarantineReason)}>
                <p class="none">The event is stored and has no effect.</p>
              </RemedyOf>
            )}
            {event.erasedOn === undefined && event.quarantineReason === undefined && (
              <EffectSection eventId={eventId} entity={event.entity} />
            )}
            <Deliveries event={event} />
            <BusEvents eventId={eventId} />
            {event.erasedOn === undefined && <Body eventId={eventId} entity={event.entity} />}
          </>
        )}
      </Shown>
    </>
  );
}

function isReplayable({ quarantineReason, erasedOn }: Stored): boolean {
  return erasedOn === undefined && (quarantineReason === undefined || canReplay(quarantineReason));
}

function stateOf({ quarantineReason, erasedOn }: Stored) {
  if (erasedOn !== undefined) return <Badge tone="plain">erased</Badge>;
  return quarantineReason === undefined ? (
    <Badge tone="good">stored</Badge>
  ) : (
    <Badge tone="warn">{quarantineReason}</Badge>
  );
}

/** Asks again when bus events of the webhook come: then it has its effect. */
function EffectSection({ eventId, entity }: { readonly eventId: string; readonly entity: Stored['entity'] }) {
  const state = useRead('reports', entity);
  const changes = useSharedValue(liveLines).filter((line) => line.source === 'bus' && line.eventId === eventId).length;
  useEffect(() => {
    if (changes > 0) state.reload();
  }, [changes]);
  return (
    <Section title="What it changed">
      {entity === undefined ? (
        <Empty title="The event is about no entity.">It was stored and published, and changes no status.</Empty>
      ) : (
        <Shown state={state} lines={2}>
          {({ reports }) => <Changed about={reports.find((report) => report.eventId === eventId) ?? { entity }} />}
        </Shown>
      )}
    </Section>
  );
}

function Changed({ about }: { readonly about: EventAbout }) {
  return (
    <Facts
      facts={[
        ['Entity', <EntityLink entity={about.entity} />],
        ['Reported', about.reported === undefined ? undefined : <Badge>{about.reported}</Badge>],
        [
          'Effect',
          about.effect === undefined ? 'none yet: the timeline does not have the event' : <Badge>{about.effect}</Badge>,
        ],
        ['Why', about.why],
      ]}
    />
  );
}

/** The record of an event counts its deliveries. The logs have each of them. */
function Deliveries({ event: { eventId, receivedOn, deliveries } }: { readonly event: Stored }) {
  const { isAsked, ask } = useLogSearch();
  const state = useRead('eventDeliveries', isAsked ? { eventId, receivedOn } : undefined);
  return (
    <Section
      title="Deliveries"
      note="When the platform delivered the webhook, and what Drawbridge answered, from the logs."
    >
      {isAsked ? (
        <Shown state={state} lines={2}>
          {(logged) => (
            <>
              {logged.length > 0 && <DeliveryTable deliveries={logged} />}
              {logged.length < deliveries && (
                <p class="note">
                  The logs show {logged.length} of {deliveries} deliveries. Missing are those that are older than the
                  log retention, those that Drain fetched, and those of the last minutes.
                </p>
              )}
            </>
          )}
        </Shown>
      ) : (
        <AskForLogs label="Read the deliveries" ask={ask} />
      )}
    </Section>
  );
}

function DeliveryTable({ deliveries }: { readonly deliveries: ReadAnswer<'eventDeliveries'> }) {
  return (
    <Table
      caption="Deliveries of the webhook, the latest first"
      rows={deliveries}
      keyOf={({ deliveryId }) => deliveryId}
      timeOf={({ at }) => at}
      columns={[
        { title: 'Time', cell: ({ at }) => <Time at={at} /> },
        {
          title: 'Answer',
          cell: ({ status }) =>
            status === undefined ? (
              <span class="none">not in the log</span>
            ) : (
              <Badge tone={status < 300 ? 'good' : 'bad'}>{String(status)}</Badge>
            ),
        },
        {
          title: 'Took',
          isNumber: true,
          cell: ({ milliseconds }) => (milliseconds === undefined ? '' : `${milliseconds.toLocaleString('en')} ms`),
        },
        { title: 'Outcome', cell: ({ outcome = '' }) => outcome },
        { title: 'Delivery', isBelow: true, cell: ({ deliveryId }) => <Id id={deliveryId} /> },
      ]}
    />
  );
}

function BusEvents({ eventId }: { readonly eventId: string }) {
  const lines = useSharedValue(liveLines).filter((line) => line.source === 'bus' && line.eventId === eventId);
  return (
    <Section title="On the bus">
      {lines.length === 0 ? (
        <p class="none">None since you opened this window. Earlier ones are not shown.</p>
      ) : (
        <LineTable lines={lines} caption="Bus events of this webhook" />
      )}
    </Section>
  );
}

function Body({ eventId, entity }: { readonly eventId: string; readonly entity: Stored['entity'] }) {
  const { answer, error, isLoading, start } = useOnClick(() => read('eventBody', { eventId }));
  return (
    <Section title="Body">
      {answer === undefined && !isLoading && (
        <div class="masked">
          <p>The body holds personal data.</p>
          <button type="button" class="button" onClick={start}>
            Reveal
          </button>
          <p class="none">The log of Query records who revealed it.</p>
        </div>
      )}
      {isLoading && <Loading lines={4} />}
      {error !== undefined && <ErrorPanel error={error} />}
      {answer !== undefined && (
        <>
          <JsonView text={textOf(answer)} what="the body" />
          {entity !== undefined && <Difference eventId={eventId} entity={entity} text={textOf(answer)} />}
        </>
      )}
    </Section>
  );
}

function textOf({ body, bodyBase64 = '' }: ReadAnswer<'eventBody'>): string {
  return body ?? `base64: ${bodyBase64}`;
}

/** The difference from another report about the same entity. */
function Difference({
  eventId,
  entity,
  text,
}: {
  readonly eventId: string;
  readonly entity: NonNullable<Stored['entity']>;
  readonly text: string;
}) {
  const reports = useRead('reports', entity).answer?.reports ?? [];
  const others = reports.filter((report) => report.eventId !== eventId);
  const [other, setOther] = useState('');
  const { answer, error, isLoading } = useRead('eventBody', other === '' ? undefined : { eventId: other });
  if (others.length === 0) return null;
  return (
    <div class="difference">
      <label>
        Difference from{' '}
        <select value={other} onChange={({ currentTarget }) => setOther(currentTarget.value)}>
          <option value="">choose another report</option>
          {others.map((report) => (
            <option key={report.eventId} value={report.eventId}>
              {`${timeText(report.receivedOn)}, ${report.reported ?? 'no status'}`}
            </option>
          ))}
        </select>
      </label>{' '}
      <span class="none">The log records this read, too.</span>
      {isLoading && <Loading lines={4} />}
      {error !== undefined && <ErrorPanel error={error} />}
      {answer !== undefined && other !== '' && <TextDifference before={textOf(answer)} after={text} />}
    </div>
  );
}
