import type { PlantedBug } from './planted-bug.ts';

const decide = 'functions/token-refresher/refresh/decide-refresh.ts';
const refresh = 'functions/token-refresher/refresh/refresh.ts';
const cache = 'shared/platform/token/token-cache.ts';
const client = 'shared/platform/client/client.ts';

/** Bugs in the storage and the refresh of the platform token. */
export const tokenBugs: readonly PlantedBug[] = [
  {
    name: 'a version that was rolled back to is never replaced',
    file: 'shared/secrets/versioned-secret.ts',
    find: "return put === 'taken' ? 'superseded' : 'stored';",
    replace: "return put === 'taken' ? 'superseded' : 'stored';\n      if (put === 'taken') return 'superseded';",
    breaks: [7, 9],
  },
  {
    name: 'a token is not refreshed before it expires',
    file: decide,
    find: "return left - refreshInterval < lifetime / 2 ? 'HALF_SPENT' : undefined;",
    replace: "return left < 0 ? 'HALF_SPENT' : undefined;",
    breaks: [7, 9],
  },
  {
    name: 'a report about an older token replaces the fresh one',
    file: decide,
    find: 'if (rejectedToken === digestToken(token.accessToken))',
    replace: 'if (rejectedToken !== undefined)',
    breaks: [7],
  },
  {
    name: 'a refused token is kept',
    file: decide,
    find: "return 'REJECTED';",
    replace: 'return undefined;',
    breaks: [9],
  },
  {
    name: 'a refused token is not reported',
    file: client,
    find: 'await report(token, signals);',
    replace: '',
    breaks: [9],
  },
  {
    name: 'a cached token never expires',
    file: cache,
    find: 'cached !== undefined && cached.expiresAt.getTime() - margin > now().getTime();',
    replace: 'cached !== undefined;',
    breaks: [7, 9],
  },
  {
    name: 'two concurrent refreshes are both stored',
    file: 'shared/secrets/versioned-secret.ts',
    find: 'successorOf(versionId, attempt);',
    replace: 'successorOf(versionId + text, attempt);',
    breaks: [7],
  },
  {
    name: 'the log contains the new token',
    file: refresh,
    find: "log.info('token refreshed', { reason });",
    replace: "log.info('token refreshed', { reason: next.accessToken });",
    breaks: [8],
  },
  {
    name: 'the assumed lifetime of a token is too long',
    file: refresh,
    find: 'const lifetime = Math.min(token.expiresIn, maxLifetimeSeconds) * 1_000;',
    replace: 'const lifetime = maxLifetimeSeconds * 1_000;',
    breaks: [7, 9],
  },
];
