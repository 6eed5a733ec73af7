import type { ActionInput } from '#cli/console/actions/actions.ts';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { usePlace } from '#console/app/router.ts';
import { createKept } from '#console/data/kept.ts';
import { type ListPages, useListPages } from '#console/data/list-pages.ts';
import { liveLines } from '#console/data/live.ts';
import { read } from '#console/data/read.ts';
import { useStore } from '#console/data/store.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { PageHead } from '#console/parts/facts.tsx';
import { MorePages } from '#console/parts/more-pages.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, Breakable, shortened } from '#console/parts/words.tsx';
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
  const arrived = useArrived(state.answer && items);
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
          {arrived} new {arrived === 1 ? 'webhook' : 'webhooks'}: show
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
function replayOf({ quarantineReason, ...filter }: Pick<Filter, StoredName>): ActionInput<'replayQuarantine'> {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(given), ...(quarantineReason !== 'ANY' && { reason: quarantineReason }) };
}

type StoredName = 'eventType' | 'quarantineReason' | 'receivedFrom' | 'receivedTo';

/** How many webhooks came since the list was read. */
function useArrived(items: Events['items'] | undefined): number {
  const lines = useStore(liveLines);
  const newest = items?.[0]?.receivedOn ?? '';
  const known = new Set(items?.map(({ eventId }) => eventId));
  if (items === undefined) return 0;
  return lines.filter(
    ({ source, eventId, time }) =>
      source === 'webhook' && eventId !== undefined && time >= newest && !known.has(eventId),
  ).length;
}

function EventList({ items, list }: { readonly items: Events['items']; readonly list: ListPages<Events> }) {
  return (
    <>
      <Table
        caption="Events"
        rows={items}
        keyOf={({ eventId }) => eventId}
        href={({ eventId }) => `/events/${eventId}`}
        columns={[
          { title: 'Received', cell: ({ receivedOn }) => <Time at={receivedOn} /> },
          { title: 'Type', cell: ({ eventType }) => <Breakable text={eventType} /> },
          {
            title: 'State',
            cell: ({ quarantineReason }) =>
              quarantineReason === undefined ? '' : <Badge tone="warn">{quarantineReason}</Badge>,
          },
          { title: 'Event id', isMinor: true, cell: ({ eventId }) => <code>{shortened(eventId)}</code> },
        ]}
      />
      <MorePages list={list} />
    </>
  );
}
