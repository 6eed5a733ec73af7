import type { LoggedRequest } from '#test/simulation/system/request-log.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import type { PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import { personOn, requested } from './onboardings.ts';
import type { FinalCheck } from './promise.ts';

/** The maximum number of creates, and of walks over a list, per onboarding and day. */
const maxRequestsPerDay = 40;

const day = 86_400_000;

/** In milliseconds: a repeated request for a page within this time is a retry, and not another walk. */
const retryTime = 60_000;

/** Promise 9: an onboarding makes no more requests than an exponential back-off allows, for every response of the platform. */
export const checkRequests: FinalCheck = (system) => {
  const persons = requested(system);
  system.judged(9, persons.length);
  const requests = system.requests.all();
  const allowed = new Map(persons.map((planned) => [planned, maxRequestsPerDay * (1 + operationsOn(system, planned))]));
  for (const planned of persons) {
    const creates = requests.filter(
      (request) => request.operation.startsWith('POST') && setLogIds(system, planned, request),
    );
    const maxRequests = busiestDay(creates);
    if (maxRequests > (allowed.get(planned) ?? 0))
      return {
        promise: 9,
        what: `The creates of ${planned.name} reach the platform ${maxRequests} times within a day.`,
      };
  }
  // A walk does not name its onboarding.
  const walks = busiestDay(walksAmong(requests));
  const allowedInAll = [...allowed.values()].reduce((sum, one) => sum + one, 0);
  if (walks <= allowedInAll) return undefined;
  return {
    promise: 9,
    what: `${persons.length} onboardings walk over lists of the platform ${walks} times within a day.`,
  };
};

/** The number of operations on a person. Each operation can restart the back-off. */
function operationsOn({ partner }: SimulatedSystem, { request }: PlannedPerson): number {
  return partner.answers().filter(({ externalId }) => externalId === request.externalId).length;
}

function setLogIds(system: SimulatedSystem, { request }: PlannedPerson, { operation, body }: LoggedRequest): boolean {
  const id = personOn(system, request.externalId)?.naturalPersonId;
  if (body.includes(`"${request.externalId}"`)) return true;
  return id !== undefined && (operation.includes(id) || body.includes(id));
}

function walksAmong(requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  const lastOf = new Map<string, number>();
  return requests.filter(({ process, operation, at }) => {
    if (!operation.startsWith('GET')) return false;
    const key = `${process} ${operation}`;
    const last = lastOf.get(key);
    lastOf.set(key, at);
    return last === undefined || at - last > retryTime;
  });
}

/** The maximum number of requests within one day. @param requests sorted by time */
function busiestDay(requests: readonly LoggedRequest[]): number {
  let maxRequests = 0;
  let first = 0;
  for (const [index, { at }] of requests.entries()) {
    while (at - (requests[first]?.at ?? at) > day) first += 1;
    maxRequests = Math.max(maxRequests, index - first + 1);
  }
  return maxRequests;
}
