import { Hono } from 'hono';
import { parseJson } from '#shared/parse-json.ts';
import { plainIssues } from '#shared/plain-message.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { FunctionHost } from './lambda/function-host.ts';

/** What the functions read the platform profile from: shared/connection/platform-connection.ts. */
const variable = 'PLATFORM_PROFILE';

/**
 * Shows the platform profile of the hosted functions, and replaces it without a restart. On AWS the setting platformProfile
 * and a deployment do the same. 400 for a profile that a deployment refuses, too.
 */
export function createProfileControl(hosted: () => Pick<FunctionHost, 'variable' | 'setVariable'> | undefined): Hono {
  const app = new Hono();
  app.get('/platform-profile', (context) =>
    context.json(platformProfile.parse(parseJson(hosted()?.variable(variable) ?? '{}'))),
  );
  app.put('/platform-profile', async (context) => {
    const given = parseJson(await context.req.text());
    const profile = platformProfile.safeParse(given);
    if (!profile.success) {
      const lines = plainIssues(profile.error.issues, given).map((line) => `\n  ${line}`);
      return context.json({ message: `the platform profile is invalid:${lines.join('')}` }, 400);
    }
    hosted()?.setVariable(variable, JSON.stringify(profile.data));
    return context.json(profile.data);
  });
  return app;
}
