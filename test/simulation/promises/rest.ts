import type { World } from '#test/simulation/world/world.ts';

/** Promise 9: what is not at rest yet; undefined once everything is. */
export function findUnrest(world: World): string | undefined {
  const { cloud, platform } = world;
  if (cloud.sqs.queue('webhooks').all().length > 0) return 'the queue of webhooks is not empty';
  if (cloud.sqs.queue('token-refreshes').all().length > 0) return 'the queue of token refreshes is not empty';
  if (platform.core.deliveries.waiting() > 0) return 'deliveries are under way';
  const left = platform.core.undelivered.all().filter(({ createdOn }) => !Number.isNaN(Date.parse(createdOn ?? '')));
  if (left.length > 0) return `${left.length} webhooks are undelivered`;
  return findUnregistered(world) ?? findTokenUnrest(world);
}

/** Every webhook must be registered with the one secret that is left once a rotation is over. */
function findUnregistered({ cloud, platform, environment }: World): string | undefined {
  const { current, previous } = JSON.parse(cloud.secretsManager.versions('webhook-secret').at(-1)?.text ?? '{}');
  if (previous !== undefined) return 'a rotation of the secret is not over';
  const missing = environment.PLATFORM_PROFILE.eventTypes.filter((eventType) => {
    const { headers = [] } = platform.core.registrations.get(eventType) ?? {};
    return headers.every(({ value }) => value !== current);
  });
  return missing.length === 0 ? undefined : `${missing.join(', ')} is not registered with the current secret`;
}

/** Whoever is refused reports the token, and the refresher replaces it. */
export function findTokenUnrest({ cloud, platform, scheduler }: World): string | undefined {
  const { accessToken } = JSON.parse(cloud.secretsManager.versions('platform-token').at(-1)?.text ?? '{}');
  const issued = platform.tokens.get(accessToken);
  const isValid = issued !== undefined && issued.revokedAt === undefined && issued.expiresAt > scheduler.now();
  return isValid ? undefined : 'the stored token is not valid';
}
