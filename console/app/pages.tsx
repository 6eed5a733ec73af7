import type { ComponentChildren } from 'preact';
import { EventPage } from '#console/pages/event.tsx';
import { EventsPage } from '#console/pages/events.tsx';
import { LivePage } from '#console/pages/live.tsx';
import { OverviewPage } from '#console/pages/overview.tsx';
import { SearchPage } from '#console/pages/search.tsx';
import { PageHead } from '#console/parts/facts.tsx';
import { Empty } from '#console/parts/states.tsx';

export type Page = { readonly title: string; readonly page: ComponentChildren };

/** The page of an address. */
export function pageAt(path: string): Page {
  const [first = '', second] = path.split('/').slice(1).map(decodeURIComponent);
  switch (first) {
    case '':
      return { title: 'Overview', page: <OverviewPage /> };
    case 'events':
      return second === undefined
        ? { title: 'Events', page: <EventsPage /> }
        : { title: 'Event', page: <EventPage key={second} eventId={second} /> };
    case 'live':
      return { title: 'Live', page: <LivePage /> };
    case 'search':
      return { title: 'Search', page: <SearchPage /> };
    default:
      return {
        title: 'No such page',
        page: (
          <>
            <PageHead title="No such page" />
            <Empty title="There is no such page.">The navigation leads to all pages.</Empty>
          </>
        ),
      };
  }
}
