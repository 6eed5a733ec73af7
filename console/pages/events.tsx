import type { ActionInput } from '#cli/console/actions/actions.ts';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { usePlace } from '#console/app/router.ts';
import { type Abouts, useAbouts } from '#console/data/abouts.ts';
import { createKept } from '#console/data/kept.ts';
import { type ListPages, useListPages } from '#console/data/list-pages.ts';
import { liveLines } from '#console/data/live.ts';
import { isOfList, type StoredFilter } from '#console/data/matching-lines.ts';
import { read } from '#console/data/read.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { PageHead } from '#console/parts/facts.tsx';
import { MorePages } from '#console/parts/more-pages.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, Breakable, shortened } from '#console/parts/words.tsx';
import { EntityLink } from './entities.tsx';
import { EventFilter, type Filter, filterOf, isByReport } from './event-filter.tsx';
import { ReportList } from './report-list.tsx';

type Events = ReadAnswer<'events'>;

const keptEvents = createKept<readonly Events[]>();

/** The stored webhooks, the latest received first. */
export function EventsPage() {
  const filter = filterOf(usePlace().query);
  return (
    <>
      <PageHead
        isActing={filter.quarantineReason !== ''}
        title="Events"
        note="What the platform has sent, each webhook once, the latest received first."
      />
      <EventFilter filter={filter} />
      {isByReport(filter) ? <ReportList filter={filter} /> : <StoredEvents filter={filter} />}
    </>
  );
}

function StoredEvents({
  filter: { eventType, quarantineReason, receivedFrom, receivedTo },
}: {
  readonly filter: Filter;
}) {
  const filter = { eventType, quarantineReason, receivedFrom, receivedTo };
  const list = useListPages(JSON.stringify(filter), (cursor) => read('events', { ...filter, cursor }), keptEvents);
  const { state } = list;
  const items = state.answer?.flatMap((page) => page.items) ?? [];
  const arrived = useArrived(state.answer && items, filter);
  const isFiltered = Object.values(filter).some((each) => each !== '');
  return (
    <>
      {quarantineReason !== '' && items.length > 0 && (
        <p class="actions">
          <ActionButton
            name="replayQuarantine"
            input={replayOf(filter)}
            label="Replay these"
            tone="primary"
            onDone={state.reload}
          />{' '}
          <span class="none">Fix the cause first. Counts what the filter matches, and asks.</span>
        </p>
      )}
      {arrived > 0 && (
        <button type="button" class="fresh" onClick={state.reload}>
          Show {arrived} new {arrived === 1 ? 'webhook' : 'webhooks'}
        </button>
      )}
      <Shown state={state} lines={14}>
        {() =>
          items.length === 0 && !list.hasMore ? (
            <Empty title={isFiltered ? 'No event matches.' : 'No webhook has come yet.'}>
              {isFiltered ? widenWords(eventType) : 'The first one appears here without a reload.'}
            </Empty>
          ) : (
            <EventList items={items} list={list} />
          )
        }
      </Shown>
    </>
  );
}

function widenWords(eventType: string): string {
  if (eventType === '') return 'Widen the filter.';
  return 'Widen the filter. An event type is written in full: the field suggests those that are known.';
}

/** The events of the filter, for a replay: any reason is none. */
function replayOf({ quarantineReason, ...filter }: StoredFilter): ActionInput<'replayQuarantine'> {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(given), ...(quarantineReason !== 'ANY' && { reason: quarantineReason }) };
}

/** How many webhooks of the filter came since the list was read. */
function useArrived(items: Events['items'] | undefined, filter: StoredFilter): number {
  const lines = useSharedValue(liveLines);
  const newest = items?.[0]?.receivedOn ?? '';
  const known = new Set(items?.map(({ eventId }) => eventId));
  if (items === undefined) return 0;
  return lines.filter(
    (line) => line.eventId !== undefined && line.time >= newest && !known.has(line.eventId) && isOfList(line, filter),
  ).length;
}

function EventList({ items, list }: { readonly items: Events['items']; readonly list: ListPages<Events> }) {
  // An event in quarantine has no effect.
  const pages = (list.state.answer ?? []).map((page) =>
    page.items.filter((item) => item.quarantineReason === undefined).map(({ eventId }) => eventId),
  );
  const abouts = useAbouts(pages);
  return (
    <>
      {abouts.error !== undefined && (
        <p class="note">What the events are about cannot be read: {abouts.error.message}</p>
      )}
      <Table
        caption="Events"
        rows={items}
        keyOf={({ eventId }) => eventId}
        href={({ eventId }) => `/events/${eventId}`}
        timeOf={({ receivedOn }) => receivedOn}
        columns={[
          { title: 'Received', cell: ({ receivedOn }) => <Time at={receivedOn} /> },
          { title: 'Type', cell: ({ eventType }) => <Breakable text={eventType} /> },
          {
            title: 'About',
            isBelow: true,
            cell: ({ eventId, quarantineReason }) =>
              quarantineReason === undefined && abouts.error === undefined ? (
                <Subject about={abouts.aboutOf(eventId)} isUnknown={abouts.isUnknown(eventId)} />
              ) : (
                ''
              ),
          },
          {
            title: 'Reported',
            isBelow: true,
            cell: ({ eventId }) => {
              const reported = abouts.aboutOf(eventId)?.reported;
              return reported === undefined ? '' : <Badge>{reported}</Badge>;
            },
          },
          {
            title: 'State',
            cell: ({ eventId, quarantineReason }) => {
              const { effect, why } = abouts.aboutOf(eventId) ?? {};
              if (quarantineReason !== undefined) return <Badge tone="warn">{quarantineReason}</Badge>;
              return effect === undefined ? (
                ''
              ) : (
                <span title={why}>
                  <Badge>{effect}</Badge>
                </span>
              );
            },
          },
          { title: 'Event id', isMinor: true, cell: ({ eventId }) => <code>{shortened(eventId)}</code> },
        ]}
      />
      <MorePages list={list} />
    </>
  );
}

function Subject({ about, isUnknown }: { readonly about: ReturnType<Abouts['aboutOf']>; readonly isUnknown: boolean }) {
  if (isUnknown)
    return (
      <span class="none" title="A console that only reads knows this of the entities that changed last.">
        not known
      </span>
    );
  if (about === undefined) return <span class="none">…</span>;
  if (about === null) return <span class="none">no entity</span>;
  return <EntityLink entity={about.entity} />;
}
