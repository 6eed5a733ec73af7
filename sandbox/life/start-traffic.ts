import type { Sandbox } from '#sandbox/sandbox.ts';

/** Onboards over Drawbridge whenever there is traffic, and begins the traffic of this rate. */
export function startTraffic({ platform, endpoints }: Sandbox, perSecond: number | undefined): void {
  platform.traffic.onboardBy(async (externalId, person) => {
    const answer = await fetch(`${endpoints.api}/onboardings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalId, person, identification: { mode: 'video' } }),
    });
    if (!answer.ok) throw new Error(`Drawbridge answered ${answer.status} to an onboarding of the traffic.`);
  });
  if (perSecond !== undefined) platform.traffic.start(perSecond);
}
