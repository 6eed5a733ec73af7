import { useEffect, useState } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { addressOf, navigate, usePlace } from '#console/app/router.ts';
import { liveLines } from '#console/data/live.ts';
import { type ConsoleError, read, useRead } from '#console/data/read.ts';
import { useStore } from '#console/data/store.ts';
import { PageHead } from '#console/parts/facts.tsx';
import { Empty, ErrorPanel, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, shortened } from '#console/parts/words.tsx';

type Events = ReadAnswer<'events'>;

const names = ['eventType', 'quarantineReason', 'receivedFrom', 'receivedTo'] as const;

type Filter = Readonly<Record<(typeof names)[number], string>>;

/** The stored webhooks, the latest received first. */
export function EventsPage() {
  const { query } = usePlace();
  const filter: Filter = {
    eventType: query.get('eventType') ?? '',
    quarantineReason: query.get('quarantineReason') ?? '',
    receivedFrom: query.get('receivedFrom') ?? '',
    receivedTo: query.get('receivedTo') ?? '',
  };
  const state = useRead('events', filter);
  const arrived = useArrived(state.answer);
  const isFiltered = names.some((name) => filter[name] !== '');
  return (
    <>
      <PageHead title="Events" note="What the platform has sent, each webhook once, the latest received first." />
      <FilterForm filter={filter} />
      {arrived > 0 && (
        <button type="button" class="fresh" onClick={state.reload}>
          {arrived} new {arrived === 1 ? 'webhook' : 'webhooks'}: show
        </button>
      )}
      <Shown state={state} lines={14}>
        {(first) =>
          first.items.length === 0 && first.nextCursor === undefined ? (
            <Empty title={isFiltered ? 'No event matches.' : 'No webhook has come yet.'}>
              {isFiltered ? 'Widen the filter.' : 'The first one appears here without a reload.'}
            </Empty>
          ) : (
            <EventList key={JSON.stringify([filter, first.items[0]?.eventId])} first={first} filter={filter} />
          )
        }
      </Shown>
    </>
  );
}

/** How many webhooks came since the list was read. */
function useArrived(answer: Events | undefined): number {
  const lines = useStore(liveLines);
  const newest = answer?.items[0]?.receivedOn ?? '';
  const known = new Set(answer?.items.map(({ eventId }) => eventId));
  if (answer === undefined) return 0;
  return lines.filter(
    ({ source, eventId, time }) =>
      source === 'webhook' && eventId !== undefined && time >= newest && !known.has(eventId),
  ).length;
}

function FilterForm({ filter }: { readonly filter: Filter }) {
  const [draft, setDraft] = useState(filter);
  useEffect(() => setDraft(filter), [JSON.stringify(filter)]);
  const set = (name: keyof Filter) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setDraft({ ...draft, [name]: event.currentTarget.value });
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(
          addressOf('/events', {
            ...draft,
            receivedFrom: timeOf(draft.receivedFrom),
            receivedTo: timeOf(draft.receivedTo),
          }),
        );
      }}
    >
      <label class="grow">
        Event type
        <input type="search" value={draft.eventType} placeholder="all" spellcheck={false} onInput={set('eventType')} />
      </label>
      <label>
        Quarantine
        <select value={draft.quarantineReason} onChange={set('quarantineReason')}>
          <option value="">all events</option>
          <option value="ANY">in quarantine</option>
          {draft.quarantineReason !== '' && draft.quarantineReason !== 'ANY' && (
            <option value={draft.quarantineReason}>{draft.quarantineReason}</option>
          )}
        </select>
      </label>
      <label>
        From
        <input type="text" value={draft.receivedFrom} placeholder="2h, or a time" onInput={set('receivedFrom')} />
      </label>
      <label>
        To
        <input type="text" value={draft.receivedTo} placeholder="now" onInput={set('receivedTo')} />
      </label>
      <button type="submit" class="button">
        Filter
      </button>
    </form>
  );
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2h` is two hours ago; another text stays as it is, and the API says what is wrong with it. */
function timeOf(text: string): string {
  const [, number, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text.trim()) ?? [];
  if (number === undefined) return text.trim();
  return new Date(Date.now() - Number(number) * (units[unit] ?? 0)).toISOString();
}

function EventList({ first, filter }: { readonly first: Events; readonly filter: Filter }) {
  const [pages, setPages] = useState<readonly Events[]>([first]);
  const [error, setError] = useState<ConsoleError | undefined>(undefined);
  const cursor = pages.at(-1)?.nextCursor;
  const more = () => read('events', { ...filter, cursor }).then((page) => setPages([...pages, page]), setError);
  return (
    <>
      <Table
        caption="Events"
        rows={pages.flatMap(({ items }) => items)}
        keyOf={({ eventId }) => eventId}
        href={({ eventId }) => `/events/${eventId}`}
        columns={[
          { title: 'Received', cell: ({ receivedOn }) => <Time at={receivedOn} /> },
          { title: 'Type', cell: ({ eventType }) => <span class="type">{eventType}</span> },
          {
            title: 'Quarantine',
            cell: ({ quarantineReason }) =>
              quarantineReason === undefined ? '' : <Badge tone="warn">{quarantineReason}</Badge>,
          },
          { title: 'Event id', isMinor: true, cell: ({ eventId }) => <code>{shortened(eventId)}</code> },
        ]}
      />
      {error !== undefined && <ErrorPanel error={error} />}
      {cursor !== undefined && (
        <button type="button" class="button more" onClick={more}>
          Show more
        </button>
      )}
    </>
  );
}
