import { Hono } from 'hono';
import * as z from 'zod';
import {
  findProfileFaults,
  registersWhatIsKnown,
  unknownRegistration,
} from '#shared/entities/statuses/check-declared-statuses.ts';
import { parseJson } from '#shared/parse-json.ts';
import { plainIssues } from '#shared/plain-message.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';
import type { FunctionHost } from './lambda/function-host.ts';

/** The variables of the hosted functions that have a part in the platform profile. */
export type ProfileVariables = Pick<FunctionHost, 'variable'>;

const wholeVariable = 'PLATFORM_PROFILE';

/** The platform profile of the hosted functions. Functions without the variable have the defaults. */
export function profileOf(hosted: ProfileVariables | undefined): PlatformProfile {
  return platformProfile.parse(parseJson(hosted?.variable(wholeVariable) ?? '{}'));
}

/**
 * Shows the platform profile of the hosted functions, and replaces it without a restart. On AWS the setting platformProfile
 * and a deployment do the same. 400 for a profile that a deployment refuses.
 */
export function createProfileControl(hosted: () => Pick<FunctionHost, 'variable' | 'setVariable'> | undefined): Hono {
  const app = new Hono();
  app.get('/platform-profile', (context) => context.json(profileOf(hosted())));
  app.put('/platform-profile', async (context) => {
    const given = parseJson(await context.req.text());
    const result = platformProfile.safeParse(given);
    const faults = result.success ? faultsOf(result.data, hosted()) : plainIssues(result.error.issues, given);
    if (!result.success || faults.length > 0) {
      const lines = faults.map((line) => `\n  ${line}`);
      return context.json({ message: `the platform profile is invalid:${lines.join('')}` }, 400);
    }
    for (const [name, value] of Object.entries(variablesOf(result.data))) hosted()?.setVariable(name, value);
    return context.json(result.data);
  });
  return app;
}

/** A line for each fault, such as `statuses.order.0.to: …`. */
function faultsOf(profile: PlatformProfile, hosted: ProfileVariables | undefined): readonly string[] {
  const registered = z
    .array(z.string())
    .catch([])
    .parse(parseJson(hosted?.variable('REGISTERED_EVENT_TYPES') ?? '[]'));
  return [
    ...findProfileFaults(profile).map(({ path, message }) => `${path.join('.') || 'all of it'}: ${message}`),
    ...(registersWhatIsKnown(registered, profile) ? [] : [`registeredEventTypes: ${unknownRegistration}`]),
  ];
}

/** As the stacks give them to the functions: infra/parts/platform-access.ts. Some functions have only parts of the profile. */
function variablesOf(profile: PlatformProfile): Readonly<Record<string, string>> {
  return {
    [wholeVariable]: JSON.stringify(profile),
    DECLARED_STATUSES: JSON.stringify(profile.statuses),
    PLACES: JSON.stringify(profile.places),
    EVENT_TYPES: JSON.stringify(profile.eventTypes),
  };
}
