import { useEffect } from 'preact/hooks';
import { navigate, usePlace } from '#console/app/router.ts';
import { useRead } from '#console/data/read.ts';
import { PageHead } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Badge } from '#console/parts/words.tsx';
import { kindNames, kindOf } from './entities.tsx';

/** What has an id: an event, an entity of any kind, an onboarding. The only one opens by itself. */
export function SearchPage() {
  const { query } = usePlace();
  const id = query.get('id')?.trim() ?? '';
  const state = useRead('search', id === '' ? undefined : { id });
  const { hits: [hit, ...others] = [], unsearched: unknown = [] } = state.answer ?? {};
  const only = others.length === 0 && unknown.length === 0 ? hit?.path : undefined;
  useEffect(() => {
    // Back leads past the search.
    if (only !== undefined) navigate(only, true);
  }, [only]);
  if (id === '')
    return (
      <>
        <PageHead title="Search" />
        <Empty title="There is no id to search for.">Press / and write one.</Empty>
      </>
    );
  return (
    <>
      <PageHead title="Search" note={<code>{id}</code>} />
      <Shown state={state} lines={3}>
        {({ hits, unsearched }) => (
          <>
            {hits.length === 0 && unsearched.length > 0 && (
              <Empty title="Not known: not everything could be searched.">The reason is below.</Empty>
            )}
            {hits.length === 0 && unsearched.length === 0 && (
              <Empty title="Nothing has this id.">
                Search for the id of an event, an order, a transfer, a person, a verification, or your externalId of a
                person. A short id such as 0190a6f0…6789ac is found among the latest 400 of each list.
              </Empty>
            )}
            {hits.length > 0 && (
              <Table
                caption="What has this id"
                rows={hits}
                keyOf={({ path }) => path}
                href={({ path }) => path}
                columns={[
                  { title: 'What', cell: ({ what }) => nameOf(what) },
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

/** `Person` of `natural-person`, `Event, …` of `event, …`. */
function nameOf(what: string): string {
  const kind = kindOf(what);
  return kind === undefined ? `${what.slice(0, 1).toUpperCase()}${what.slice(1)}` : kindNames[kind];
}
