import * as z from 'zod/mini';
import { InvalidRequestError } from '#shared/drawbridge-error.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { eventTypeName } from '#shared/platform/profile/event-place.ts';
import type { StoredWebhookSecret } from '#shared/secrets/webhook-secret.ts';
import type { RotationRules } from './decide-rotation.ts';
import {
  describePlan,
  isDrifted,
  isPending,
  type PlannedWebhook,
  type RegistrationPlan,
} from './plan-registrations.ts';
import {
  planNow,
  type RegistrationCheck,
  type RegistrationResult,
  type RegistrationsDeps,
  type RegistrationsRun,
  reconcileRegistrations,
} from './reconcile-registrations.ts';
import { decideNow, describeRotation, type RotationDeps, restartOverlap, rotateSecret } from './rotate-secret.ts';

const eventTypes = z._default(z.array(eventTypeName), []);

/** The request of `register`. Strict: a typo must not turn a plan into changes. */
const registerRequest = z.strictObject({
  /**
   * `plan` shows the changes, and makes none. `apply` makes them, and continues a rotation. `rotate` is `apply`, and begins a
   * rotation of the secret if none is in progress. `retire` is `apply`, and ends a rotation early, as when the previous secret has
   * leaked.
   */
  mode: z.enum(['plan', 'apply', 'rotate', 'retire']),
  /** Configured event types whose webhook is not ours: replace it. */
  takeOver: eventTypes,
  /** Event types that are no longer configured: remove our webhook. */
  remove: eventTypes,
});

export type RegisterRequest = z.infer<typeof registerRequest>;

/** @throws {InvalidRequestError} */
export function readRegisterRequest(event: unknown, configured: readonly string[]): RegisterRequest {
  const result = registerRequest.safeParse(event);
  if (!result.success)
    throw new InvalidRequestError(
      'RegisterRequestError',
      'Invoke register with {"mode": "plan" | "apply" | "rotate" | "retire"}, and "takeOver" or "remove" with lists of event types where you mean it.',
    );
  const { takeOver, remove } = result.data;
  refuse(
    takeOver.filter((eventType) => !configured.includes(eventType)),
    'cannot be taken over: configure it first',
  );
  refuse(
    remove.filter((eventType) => configured.includes(eventType)),
    'cannot be removed: it is configured, and would be registered again',
  );
  return result.data;
}

function refuse(eventTypes: readonly string[], reason: string): void {
  if (eventTypes.length > 0)
    throw new InvalidRequestError('RegisterRequestError', `${eventTypes.join(', ')} ${reason}.`);
}

export type RegisterDeps = RegistrationsDeps &
  RotationDeps & {
    readonly rotation: Pick<RotationRules, 'interval' | 'overlap'>;
    readonly metrics: Metrics;
  };

/** The limits of one run. */
export type RegisterLimits = {
  /** In milliseconds: the longest time of a run. */
  readonly timeLimit: number;
  readonly signal: AbortSignal;
};

/** The report for an operator. Holds no secret. */
export type RegisterReport = {
  /** The planned changes, a line for each webhook. */
  readonly plan: readonly string[];
  /** The changes that failed, and why. The next run tries again. */
  readonly failed: readonly string[];
  readonly rotation: string;
};

/**
 * Corrects the webhooks on the platform (section 2.1), and continues a rotation of their secret. Every part can be repeated: after a
 * crash, the next run completes the work.
 *
 * @throws {InvalidRequestError} {PlatformError} {WebhookSecretError} `VersionedSecretError`
 */
export function createRegister(deps: RegisterDeps) {
  return async (event: unknown, limits: RegisterLimits): Promise<RegisterReport> => {
    const request = readRegisterRequest(event, deps.eventTypes);
    const rules = rulesOf(deps, request, limits);
    const check = { options: request, signal: limits.signal, secret: await deps.secrets.read() };
    if (request.mode === 'plan') return showPlan(deps, rules, check);

    const beforeChange: RegistrationsRun['beforeChange'] = (before, secret) => restartOverlap(deps, secret, before);
    const first = await reconcileRegistrations(deps, { ...check, beforeChange });
    let last = first;
    const reconcile = async (secret: StoredWebhookSecret) => {
      last = await reconcileRegistrations(deps, { ...check, beforeChange, secret });
      return last;
    };
    const rotation = await rotateSecret(deps, rules, { reconciled: first, reconcile });
    measure(deps.metrics, first.before, last.after);
    return { plan: describePlan(first.before), failed: describeFailures(last), rotation };
  };
}

/**
 * The earliest time at which the previous secret is retired, also on request: after the longest time of a run. A run that began
 * before the rotation may register the previous secret until then.
 */
function rulesOf({ rotation }: RegisterDeps, { mode }: RegisterRequest, { timeLimit }: RegisterLimits): RotationRules {
  const overlap = mode === 'retire' ? timeLimit : Math.max(rotation.overlap, timeLimit);
  return { interval: rotation.interval, overlap, isAsked: mode === 'rotate' };
}

async function showPlan(deps: RegisterDeps, rules: RotationRules, check: RegistrationCheck): Promise<RegisterReport> {
  const { secret } = check;
  const after = await planNow(deps, check);
  const step = decideNow(deps, rules, { secret, after });
  return { plan: describePlan(after), failed: [], rotation: describeRotation(step, secret) };
}

function describeFailures({ after, failures }: RegistrationResult): readonly string[] {
  return after.webhooks
    .filter(isFailure)
    .map(
      ({ eventType, action }) =>
        `${eventType}: ${failures.get(eventType) ?? (action === 'undecided' ? unreadable : notListed)}`,
    );
}

const unreadable = 'the platform lists a webhook whose event type cannot be read, and that may be this one.';
const notListed = 'it is not listed as it was registered.';

/** An event type that the platform does not know yet is not a failure: it will be registered once it does. */
function isFailure(planned: PlannedWebhook): boolean {
  if (planned.action === 'undecided') return true;
  return isPending(planned) && !(planned.action === 'create' && !planned.isKnown);
}

function measure(
  metrics: Metrics,
  { webhooks: before }: RegistrationPlan,
  { webhooks: after }: RegistrationPlan,
): void {
  const isMissing = (planned: PlannedWebhook) => planned.action === 'create' && planned.isKnown;
  const isBroken = (planned: PlannedWebhook) => isMissing(planned) || isDrifted(planned);
  const count = (plan: readonly PlannedWebhook[], what: (planned: PlannedWebhook) => boolean) =>
    plan.filter(what).length;
  metrics.measure('RegistrationsMissing', count(before, isMissing));
  metrics.measure('RegistrationsDrifted', count(before, isDrifted));
  metrics.measure('RegistrationsRepaired', Math.max(0, count(before, isBroken) - count(after, isBroken)));
  metrics.measure(
    'RegistrationsForeign',
    count(after, ({ action }) => action === 'not ours'),
  );
  metrics.measure('RegistrationsFailed', count(after, isFailure));
}
