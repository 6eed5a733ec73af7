import { Duration } from 'aws-cdk-lib';
import { type AlarmDeclarations, errorsOf, ownMetric } from '#infra/parts/alarms.ts';
import type { DrawbridgeFunction } from '#infra/parts/function.ts';
import { drawbridge, readErrors, readLines } from '#infra/parts/runbook-commands.ts';
import type { MeasureName } from '#shared/lambda/metrics.ts';

/** Each has a run of `register`. */
const period = Duration.minutes(5);

/** After so many periods a failure is more than an interruption of the platform. */
const failedPeriods = 6;

/** The alarms of `register`. */
export function registrationAlarms(register: DrawbridgeFunction): AlarmDeclarations {
  const measured = (name: MeasureName) => ownMetric(register, name, { period, statistic: 'Maximum' });
  const plan = drawbridge('webhooks plan', 'Changes nothing');
  const apply = drawbridge('webhooks apply');
  return {
    DeliveriesUnauthorized: {
      metric: ownMetric(register, 'DeliveriesUnauthorized', { period: Duration.minutes(5), statistic: 'Sum' }),
      above: 10,
      periods: 3,
      hasEnd: true,
      isSparse: true,
      part: 'receive',
      meaning:
        'Requests without the registered secret got 401. If the platform sent them, it keeps the webhooks as undelivered, and Drain stores them.',
      remedy:
        'Run drawbridge webhooks plan. If registrations differ, run drawbridge webhooks apply. If none differ, a stranger knows the URL: use the setting webhookSources, or change webhookPathKey to move the URL, and deploy.',
      commands: [plan, apply],
    },
    RegisterErrors: {
      metric: errorsOf(register, period),
      above: 0,
      periods: failedPeriods,
      hasEnd: true,
      part: 'receive',
      meaning:
        'Registrations that change on the platform are not repaired, and a rotation of the webhook secret does not progress.',
      remedy: 'Read the errors of Register. Most likely the platform does not answer, or there is no valid token.',
      commands: readErrors(register),
    },
    RegistrationsFailed: {
      metric: measured('RegistrationsFailed'),
      above: 0,
      periods: failedPeriods,
      hasEnd: true,
      part: 'receive',
      meaning:
        'The platform refuses registrations, or does not list them. Their events may not arrive, and the platform may not keep them as undelivered.',
      remedy: 'Run drawbridge webhooks apply: the answer names the registrations that fail, and why.',
      commands: [apply, ...readErrors(register)],
    },
    RegistrationsMissing: {
      metric: measured('RegistrationsMissing'),
      above: 0,
      onlyWhenConfigured: true,
      hasEnd: false,
      part: 'receive',
      meaning:
        'Webhooks were removed on the platform, which kept no events of these types until Register registered them again. If RegistrationsFailed goes off too, they are still missing.',
      remedy: 'Check orders on the platform: Reconcile repairs persons, verifications and transfers by itself.',
      commands: [plan],
    },
    RegistrationsDrifted: {
      metric: measured('RegistrationsDrifted'),
      above: 0,
      hasEnd: false,
      part: 'receive',
      meaning:
        'Registrations had another URL or other headers than ours. A deployment that moves the webhooks URL causes this once. Register has repaired them, unless RegistrationsFailed goes off too.',
      remedy:
        'Lines of Register name the event types. If no deployment moved the URL, find out who changed them: until the repair, events may have gone elsewhere.',
      commands: [readLines(register, 'message', 'webhook registration changed')],
    },
    RegistrationsForeign: {
      metric: measured('RegistrationsForeign'),
      above: 0,
      hasEnd: true,
      part: 'receive',
      meaning: 'Event types that this environment should receive are registered for another URL.',
      remedy:
        'Run drawbridge webhooks plan to see which. To receive them here, run drawbridge webhooks apply --take-over EVENT_TYPE. Otherwise leave them out of the setting registeredEventTypes, and deploy.',
      commands: [plan, drawbridge('webhooks apply --take-over EVENT_TYPE')],
    },
  };
}
