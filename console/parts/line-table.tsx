import type { LiveLine } from '#cli/console/live/live-feed.ts';
import { Table } from './table.tsx';
import { Time } from './time.tsx';
import { Badge, Breakable, shortened } from './words.tsx';

/** The page of what a bus event is about. */
export function pathOfSubject({ type, about }: Pick<LiveLine, 'type' | 'about'>): string | undefined {
  if (about === undefined) return undefined;
  const kind = kinds.find(([prefix]) => type.startsWith(prefix))?.[1];
  if (type.startsWith('Onboarding')) return `/onboardings/${encodeURIComponent(`onboardingId:${about}`)}`;
  return kind === undefined ? undefined : `/entities/${kind}/${encodeURIComponent(about)}`;
}

const kinds = [
  ['Order', 'order'],
  ['Transfer', 'transfer'],
  ['NaturalPerson', 'natural-person'],
  ['IdentificationVerification', 'identification-verification'],
] as const;

const pathOf = ({ source, eventId, ...line }: LiveLine) =>
  source === 'webhook' && eventId !== undefined ? `/events/${eventId}` : pathOfSubject(line);

/** Webhooks and bus events as they came. */
export function LineTable({ lines, caption }: { readonly lines: readonly LiveLine[]; readonly caption: string }) {
  return (
    <Table
      caption={caption}
      rows={lines}
      keyOf={({ number }) => String(number)}
      href={pathOf}
      timeOf={({ time }) => time}
      columns={[
        { title: 'Time', cell: ({ time }) => <Time at={time} /> },
        {
          title: 'Source',
          isBelow: true,
          cell: ({ source }) => <Badge tone={source === 'bus' ? 'accent' : 'plain'}>{source}</Badge>,
        },
        { title: 'Type', cell: ({ type }) => <Breakable text={type} /> },
        { title: 'Status', cell: ({ status }) => (status === undefined ? '' : <Badge>{status}</Badge>) },
        {
          title: 'About',
          isBelow: true,
          cell: (line) => {
            if (line.about === undefined) return '';
            const path = pathOfSubject(line);
            const id = shortened(line.about);
            return path === undefined ? (
              <code>{id}</code>
            ) : (
              <a href={path}>
                <code>{id}</code>
              </a>
            );
          },
        },
        {
          title: 'Event',
          isMinor: true,
          cell: ({ eventId }) =>
            eventId === undefined ? (
              ''
            ) : (
              <a href={`/events/${eventId}`}>
                <code>{shortened(eventId)}</code>
              </a>
            ),
        },
      ]}
    />
  );
}
