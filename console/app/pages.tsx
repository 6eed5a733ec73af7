import type { ComponentChildren } from 'preact';
import { ActionsPage } from '#console/pages/actions.tsx';
import { AlarmsPage } from '#console/pages/alarms.tsx';
import { BusPage } from '#console/pages/bus.tsx';
import { CostPage } from '#console/pages/cost.tsx';
import { EntitiesPage } from '#console/pages/entities.tsx';
import { EntityPage } from '#console/pages/entity.tsx';
import { EventPage } from '#console/pages/event.tsx';
import { EventsPage } from '#console/pages/events.tsx';
import { LivePage } from '#console/pages/live.tsx';
import { NewOnboardingPage } from '#console/pages/new-onboarding.tsx';
import { OnboardingPage } from '#console/pages/onboarding.tsx';
import { OnboardingsPage } from '#console/pages/onboardings.tsx';
import { OverviewPage } from '#console/pages/overview.tsx';
import { PersonsPage } from '#console/pages/persons.tsx';
import { QuarantinePage } from '#console/pages/quarantine.tsx';
import { ReconciliationPage } from '#console/pages/reconciliation.tsx';
import { RegistrationsPage } from '#console/pages/registrations.tsx';
import { SandboxPage } from '#console/pages/sandbox.tsx';
import { SearchPage } from '#console/pages/search.tsx';
import { PageHead } from '#console/parts/facts.tsx';
import { Empty } from '#console/parts/states.tsx';
import { shortened } from '#console/parts/words.tsx';

export type Page = { readonly title: string; readonly page: ComponentChildren };

/** The words between the slashes. An address with a wrong percent sign has no page. */
function wordsOf(path: string): readonly string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return [path];
  }
}

/** The page of an address. */
export function pageAt(path: string): Page {
  const [first = '', second, third] = wordsOf(path);
  switch (first) {
    case '':
      return { title: 'Overview', page: <OverviewPage /> };
    case 'events':
      return second === undefined
        ? { title: 'Events', page: <EventsPage /> }
        : { title: `Event ${shortened(second)}`, page: <EventPage key={second} eventId={second} /> };
    case 'entities':
      return second !== undefined && third !== undefined
        ? {
            title: `${second} ${shortened(third)}`,
            page: <EntityPage key={`${second}/${third}`} kind={second} id={third} />,
          }
        : { title: 'Entities', page: <EntitiesPage kind={second} /> };
    case 'onboardings':
      if (second === 'new') return { title: 'New onboarding', page: <NewOnboardingPage /> };
      return second === undefined
        ? { title: 'Onboardings', page: <OnboardingsPage /> }
        : {
            title: `Onboarding ${shortened(second.replace(/^onboardingId:/, ''))}`,
            page: <OnboardingPage key={second} externalId={second} />,
          };
    case 'alarms':
      return { title: second ?? 'Alarms', page: <AlarmsPage key={second} name={second} /> };
    case 'quarantine':
      return { title: 'Quarantine', page: <QuarantinePage /> };
    case 'reconciliation':
      return { title: 'Reconciliation', page: <ReconciliationPage /> };
    case 'registrations':
      return { title: 'Registrations', page: <RegistrationsPage /> };
    case 'bus':
      return { title: 'Bus', page: <BusPage /> };
    case 'persons':
      return { title: 'Personal data', page: <PersonsPage /> };
    case 'cost':
      return { title: 'Cost', page: <CostPage /> };
    case 'actions':
      return { title: 'Actions', page: <ActionsPage /> };
    case 'sandbox':
      return { title: 'Sandbox', page: <SandboxPage /> };
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
