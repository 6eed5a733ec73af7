import { useState } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { createKept } from '#console/data/kept.ts';
import { useKeptReading } from '#console/data/kept-reading.ts';
import { read } from '#console/data/read.ts';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge } from '#console/parts/words.tsx';
import { EntityLink, kindOf } from './entities.tsx';
import { effectWords, type Filter } from './event-filter.tsx';

type Reports = ReadAnswer<'reports'>;

/** The rows that the list begins with, and that each click adds. */
const pageSize = 50;

const keptReports = createKept<Reports>();
const keptLengths = createKept<number>();

/** Events by their entity and effect, from the timelines of entities. */
export function ReportList({ filter: { effect, kind, id, receivedFrom, receivedTo } }: { readonly filter: Filter }) {
  const query = {
    effect: effectWords.find((word) => word === effect),
    kind: kindOf(kind),
    ...(id !== '' && { id }),
    ...(receivedFrom !== '' && { receivedFrom }),
    ...(receivedTo !== '' && { receivedTo }),
  };
  const { state, place } = useKeptReading(JSON.stringify(query), () => read('reports', query), keptReports);
  return (
    <Shown state={state} lines={14}>
      {(answer) => (
        <>
          <p class="note list-scope">{answer.scope}</p>
          {answer.reports.length === 0 ? (
            <Empty title="No event matches.">Widen the filter.</Empty>
          ) : (
            <Reports key={place} reports={answer.reports} place={place} />
          )}
        </>
      )}
    </Shown>
  );
}

function Reports({ reports, place }: Pick<Reports, 'reports'> & { readonly place: string }) {
  const [length, setLength] = useState(keptLengths.get(place) ?? pageSize);
  return (
    <>
      <Table
        caption="Events by their effect"
        rows={reports.slice(0, length)}
        keyOf={({ eventId, entity }) => `${eventId} ${entity.id}`}
        href={({ eventId }) => `/events/${eventId}`}
        timeOf={({ receivedOn }) => receivedOn}
        columns={[
          { title: 'Received', cell: ({ receivedOn }) => <Time at={receivedOn} /> },
          {
            title: 'About',
            cell: ({ entity }) => <EntityLink entity={entity} />,
          },
          {
            title: 'Reported',
            isBelow: true,
            cell: ({ reported }) => (reported === undefined ? '' : <Badge>{reported}</Badge>),
          },
          { title: 'State', cell: ({ effect }) => <Badge>{effect}</Badge> },
          { title: 'Why', isBelow: true, cell: ({ why }) => why },
        ]}
      />
      {reports.length > length && (
        <button type="button" class="button more" onClick={() => setLength(keptLengths.keep(place, length + pageSize))}>
          Show more
        </button>
      )}
    </>
  );
}
