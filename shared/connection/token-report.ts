import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '#shared/parse-json.ts';

/** All messages to the token refresher are of one group, so that it works on one at a time. */
export const refreshGroup = 'refresh';

/** In milliseconds: how often the token refresher checks the token, with or without reports. */
export const refreshInterval = 5 * 60_000;

/** A message to the token refresher about a token that the platform refused. Names it by its digest, never itself. */
const tokenReport = z.object({ rejectedToken: z.string() });

/** The SHA-256 of a token, in hex: distinguishes tokens, and reveals nothing of a token that cannot be guessed. */
export function digestToken(token: string): string {
  return hash('sha256', token);
}

/** The same token gives the same text: SQS then takes it once in five minutes, however many report it. */
export function writeTokenReport(token: string): string {
  return JSON.stringify({ rejectedToken: digestToken(token) } satisfies z.infer<typeof tokenReport>);
}

/** The digest of the rejected token; undefined if the message reports none, as that of the schedule. */
export function readTokenReport(message: string): string | undefined {
  return tokenReport.safeParse(parseJson(message)).data?.rejectedToken;
}

/** A message to the token refresher that asks for another token in place of a version of the secret, however long that token lives. */
const forcedRefresh = z.object({ replacedVersion: z.string().check(z.minLength(1)) });

/** Names a version, so that the message has no effect any more once the version is replaced. */
export function writeForcedRefresh(versionId: string): string {
  return JSON.stringify({ replacedVersion: versionId } satisfies z.infer<typeof forcedRefresh>);
}

/** The version that is to be replaced; undefined if the message forces nothing. */
export function readForcedRefresh(message: string): string | undefined {
  return forcedRefresh.safeParse(parseJson(message)).data?.replacedVersion;
}
