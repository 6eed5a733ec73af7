import type { ReadAnswer, ReadQuery } from '#cli/console/reads/reads.ts';
import { addressOf, navigate, usePlace } from '#console/app/router.ts';
import { createKept } from '#console/data/kept.ts';
import { type ListPages, useListPages } from '#console/data/list-pages.ts';
import { read, useRead } from '#console/data/read.ts';
import { PageHead } from '#console/parts/facts.tsx';
import { MorePages } from '#console/parts/more-pages.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, shortened } from '#console/parts/words.tsx';

export type Kind = ReadQuery<'entities'>['kind'];

type Entities = ReadAnswer<'entities'>;

const keptEntities = createKept<readonly Entities[]>();

export const kindTitles: Readonly<Record<Kind, string>> = {
  order: 'Orders',
  transfer: 'Transfers',
  'natural-person': 'Persons',
  'identification-verification': 'Verifications',
};

/** One of a kind. */
export const kindNames: Readonly<Record<Kind, string>> = {
  order: 'Order',
  transfer: 'Transfer',
  'natural-person': 'Person',
  'identification-verification': 'Verification',
};

/** The kind and the short id of an entity, which lead to its page. */
export function EntityLink({
  entity: { kind, id },
}: {
  readonly entity: { readonly kind: Kind; readonly id: string };
}) {
  return (
    <a href={`/entities/${kind}/${encodeURIComponent(id)}`}>
      {kindNames[kind]} <code>{shortened(id)}</code>
    </a>
  );
}

export const kinds: readonly Kind[] = ['order', 'transfer', 'natural-person', 'identification-verification'];

export const kindOf = (word: string | undefined): Kind | undefined => kinds.find((kind) => kind === word);

/** Entities of a kind, the latest change first. */
export function EntitiesPage({ kind: named }: { readonly kind: string | undefined }) {
  const kind = kindOf(named) ?? 'order';
  const { query } = usePlace();
  const status = query.get('status') ?? '';
  const list = useListPages(`${kind} ${status}`, (cursor) => read('entities', { kind, status, cursor }), keptEntities);
  const items = list.state.answer?.flatMap((page) => page.items) ?? [];
  const statuses = useRead('statuses', { kind });
  return (
    <>
      <PageHead title="Entities" note="What webhooks have reported, the latest change of a status first." />
      <nav class="tabs" aria-label="Kinds">
        {kinds.map((each) => (
          <a key={each} href={`/entities/${each}`} aria-current={each === kind ? 'true' : undefined}>
            {kindTitles[each]}
          </a>
        ))}
      </nav>
      <div class="filters">
        <label>
          Status
          <select
            value={status}
            onChange={({ currentTarget }) => navigate(addressOf(`/entities/${kind}`, { status: currentTarget.value }))}
          >
            <option value="">all</option>
            {[...new Set([...(statuses.answer ?? []), ...(status === '' ? [] : [status])])].map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Shown state={list.state} lines={12}>
        {() =>
          items.length === 0 && !list.hasMore ? (
            <Empty title={`No ${kindTitles[kind].toLowerCase()} match.`}>
              {status === '' ? 'The first webhook about one makes it appear here.' : 'Choose another status.'}
            </Empty>
          ) : (
            <EntityList kind={kind} items={items} list={list} />
          )
        }
      </Shown>
    </>
  );
}

function EntityList({
  kind,
  items,
  list,
}: {
  readonly kind: Kind;
  readonly items: Entities['items'];
  readonly list: ListPages<Entities>;
}) {
  return (
    <>
      <Table
        caption={kindTitles[kind]}
        rows={items}
        keyOf={({ id }) => id}
        href={({ id }) => `/entities/${kind}/${encodeURIComponent(id)}`}
        columns={[
          { title: 'Id', cell: ({ id }) => <code>{id}</code> },
          { title: 'Status', cell: ({ status: word }) => (word === undefined ? 'unknown' : <Badge>{word}</Badge>) },
          { title: 'Changed', isBelow: true, cell: ({ changedOn }) => <Time at={changedOn} /> },
        ]}
      />
      <MorePages list={list} />
    </>
  );
}
