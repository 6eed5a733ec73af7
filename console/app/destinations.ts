/** A page of the navigation. */
export type Destination = {
  readonly title: string;
  readonly path: string;
  /** After `g`. */
  readonly key: string;
  readonly isLaptopOnly?: boolean;
};

/** The pages that a console has: one of a deployed environment has no sandbox. */
export function destinationsOf(isLaptop: boolean): readonly Destination[] {
  return destinations.filter(({ isLaptopOnly = false }) => isLaptop || !isLaptopOnly);
}

export const destinations: readonly Destination[] = [
  { title: 'Overview', path: '/', key: 'o' },
  { title: 'Events', path: '/events', key: 'e' },
  { title: 'Live', path: '/live', key: 'l' },
  { title: 'Entities', path: '/entities', key: 'n' },
  { title: 'Onboardings', path: '/onboardings', key: 'b' },
  { title: 'Alarms', path: '/alarms', key: 'm' },
  { title: 'Quarantine', path: '/quarantine', key: 'q' },
  { title: 'Reconciliation', path: '/reconciliation', key: 'c' },
  { title: 'Registrations', path: '/registrations', key: 'r' },
  { title: 'Bus', path: '/bus', key: 'u' },
  { title: 'Personal data', path: '/persons', key: 'p' },
  { title: 'Cost', path: '/cost', key: 'd' },
  { title: 'Actions', path: '/actions', key: 'a' },
  { title: 'Sandbox', path: '/sandbox', key: 's', isLaptopOnly: true },
];
