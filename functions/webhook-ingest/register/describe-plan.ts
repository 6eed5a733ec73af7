import { isPending, type PlannedWebhook, type RegistrationPlan } from './plan-registrations.ts';

/** The plan for people, a line for each webhook, as `cdk diff` has it: what is to be done first. Never a value. */
export function describePlan({ webhooks, notConfigured }: RegistrationPlan): readonly string[] {
  const lines = webhooks
    .toSorted((one, other) => compare(rank(one), rank(other)) || compare(one.eventType, other.eventType))
    .map((planned) => `${marks[planned.action]} ${planned.eventType}: ${describe(planned)}`);
  const unknown = notConfigured.toSorted().map((eventType) => `  ${eventType}: not configured, left alone`);
  return [...lines, ...unknown];
}

const marks: Readonly<Record<PlannedWebhook['action'], string>> = {
  create: '+',
  update: '~',
  'take over': '~',
  remove: '-',
  'not ours': '!',
  undecided: '!',
  obsolete: '!',
  unchanged: ' ',
};

function describe(planned: PlannedWebhook): string {
  switch (planned.action) {
    case 'create':
      return planned.isKnown ? 'create' : 'create, although the platform does not seem to know it';
    case 'update':
    case 'take over':
      return `${planned.action} (${planned.differences.join(', ')})`;
    case 'not ours':
      return `leads to ${planned.origin}, not ours: take it over to replace it`;
    case 'obsolete':
      return 'ours, but no longer configured: remove it to get no more of its deliveries';
    case 'undecided':
      return 'not registered: the platform lists a webhook whose event type cannot be read, and that may be this one';
    default:
      return planned.action;
  }
}

function rank(planned: PlannedWebhook): number {
  if (isPending(planned)) return 0;
  return planned.action === 'unchanged' ? 2 : 1;
}

function compare<Value extends number | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
