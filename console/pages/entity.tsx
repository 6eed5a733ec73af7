import { useEffect } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { liveLines } from '#console/data/live.ts';
import { useIsNarrow } from '#console/data/media.ts';
import { useRead } from '#console/data/read.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { Facts, PageHead, Section } from '#console/parts/facts.tsx';
import { Picture } from '#console/parts/picture.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, Id, shortened } from '#console/parts/words.tsx';
import { kindNames, kindOf, kindTitles } from './entities.tsx';
import { PlatformComparison } from './platform-comparison.tsx';

type Entity = ReadAnswer<'entity'>;

/** One entity: its state, the path that it took, and each report about it with its effect and why. */
export function EntityPage({ kind: named, id }: { readonly kind: string; readonly id: string }) {
  const kind = kindOf(named);
  const direction = useIsNarrow() ? 'TB' : 'LR';
  const state = useRead('entity', kind === undefined ? undefined : { kind, id, direction });
  const changes = useSharedValue(liveLines).filter(({ about }) => about === id).length;
  useEffect(() => {
    if (changes > 0) state.reload();
  }, [changes]);
  if (kind === undefined)
    return (
      <>
        <PageHead title="No such kind" />
        <Empty title="There is no such kind of entity." />
      </>
    );
  return (
    <>
      <PageHead
        trail={<a href={`/entities/${kind}`}>{kindTitles[kind]}</a>}
        title={
          <>
            {kindNames[kind]} <code>{shortened(id)}</code>
          </>
        }
      />
      <Shown state={state} lines={10}>
        {(entity) => (
          <>
            <Summary entity={entity} />
            <Anomalies entity={entity} />
            <PlatformComparison kind={kind} id={id} />
            <Section
              title="States"
              note="The coloured box is the current status, and the bold arrows lead to it. A dashed arrow skips statuses of which no report came."
            >
              <Picture svg={entity.diagram} label={pathWords(entity)} className="states" />
            </Section>
            <Timeline entity={entity} />
          </>
        )}
      </Shown>
    </>
  );
}

function Summary({ entity }: { readonly entity: Entity }) {
  return (
    <Facts
      facts={[
        ['Id', <Id id={entity.id} isWhole />],
        ['Status', entity.status === undefined ? 'unknown' : <Badge>{entity.status}</Badge>],
        ['Transaction', entity.transactionStatus],
        ['Reasons', entity.reasonCodes?.join(', ')],
        ['Modified', entity.modifiedOn === undefined ? undefined : <Time at={entity.modifiedOn} hasZone />],
        ['Reports', entity.events.length],
        [
          'Read back',
          entity.toReadBack ? 'waits for the platform: a repair on the page Reconciliation asks now' : undefined,
        ],
      ]}
    />
  );
}

function Anomalies({ entity: { anomalies, remedies } }: { readonly entity: Entity }) {
  if (anomalies.length === 0) return null;
  return (
    <div class="error" role="note">
      <p class="error-title">{`${anomalies.length === 1 ? 'Anomaly' : 'Anomalies'}: ${anomalies.join(', ')}`}</p>
      {remedies.map((remedy) => (
        <p key={remedy}>{remedy}</p>
      ))}
    </div>
  );
}

function pathWords({ kind, status = 'unknown', events }: Entity): string {
  const changes = events.toReversed().flatMap(({ change }) => (change?.status === undefined ? [] : [change.status]));
  return `The states of the ${kind}: now ${status}. Its path: ${changes.join(', ') || 'none'}.`;
}

function Timeline({ entity: { events } }: { readonly entity: Entity }) {
  return (
    <Section title="Timeline" note="Every report, the latest received first.">
      <Table
        caption="Reports about the entity"
        rows={events}
        keyOf={({ eventId }) => eventId}
        href={({ eventId }) => `/events/${eventId}`}
        timeOf={({ receivedOn }) => receivedOn}
        columns={[
          { title: 'Received', cell: ({ receivedOn }) => <Time at={receivedOn} /> },
          {
            title: 'Reported',
            cell: ({ status, notificationType, reasonCodes = [] }) => (
              <>
                {status === undefined ? (notificationType ?? '') : <Badge>{status}</Badge>} {reasonCodes.join(', ')}
              </>
            ),
          },
          { title: 'Dated', isMinor: true, cell: ({ modifiedOn }) => <Time at={modifiedOn} /> },
          { title: 'Effect', cell: ({ effect }) => <Badge>{effect}</Badge> },
          { title: 'Why', isBelow: true, cell: ({ why }) => why },
        ]}
      />
    </Section>
  );
}
