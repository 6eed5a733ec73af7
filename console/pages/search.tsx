import { usePlace } from '#console/app/router.ts';
import { useRead } from '#console/data/read.ts';
import { PageHead } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Badge } from '#console/parts/words.tsx';

/** What has an id: an event, an entity of any kind, an onboarding. */
export function SearchPage() {
  const { query } = usePlace();
  const id = query.get('id') ?? '';
  const state = useRead('search', { id });
  return (
    <>
      <PageHead title="Search" note={<code>{id}</code>} />
      <Shown state={state} lines={3}>
        {({ hits, unsearched }) => (
          <>
            {hits.length === 0 ? (
              <Empty title="Nothing has this id.">
                Search for the whole id: of an event, an order, a transfer, a person, a verification, or your externalId
                of a person.
              </Empty>
            ) : (
              <Table
                caption="What has this id"
                rows={hits}
                keyOf={({ path }) => path}
                href={({ path }) => path}
                columns={[
                  { title: 'What', cell: ({ what }) => what },
                  { title: 'State', cell: ({ state: word }) => (word === undefined ? '' : <Badge>{word}</Badge>) },
                ]}
              />
            )}
            {unsearched.map((problem) => (
              <p key={problem} class="note">
                {problem}
              </p>
            ))}
          </>
        )}
      </Shown>
    </>
  );
}
