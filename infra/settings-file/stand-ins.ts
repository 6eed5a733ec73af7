import { refuseSettings } from '#infra/parse-settings.ts';
import type { Settings } from '#infra/settings.ts';
import { exAnteStandIn } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { describeIssues, type Issue } from './describe-issues.ts';
import { laptop } from './settings-file.ts';

/** Section 2.5 writes this word for the vendor of identifications. No platform has it but the sandbox's. */
const verifierStandIn = 'EXTERNAL_VERIFIER_ID';

/** What the example of a settings file has in place of the id of a person. */
const requestorPlaceholder = '00000000-0000-0000-0000-000000000000';

/** Names that lead nowhere on the Internet, or to the reader's own machine (RFC 2606, RFC 6761). */
const reservedDomains = ['example', 'test', 'invalid', 'localhost', 'example.com', 'example.net', 'example.org'];
const ownAddresses: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', '0.0.0.0']);

type StandInSettings = Pick<Settings, 'onboarding' | 'platformProfile' | 'registeredEventTypes'>;

const ask = 'Ask the operator of your platform';

/** The settings that have a stand-in for what only the operator of a platform knows. Release 0.2.0 had these as defaults. */
export function findStandIns({ onboarding, ...settings }: StandInSettings): readonly Issue[] {
  const profile = settings.platformProfile ?? platformProfile.parse({});
  const registered = settings.registeredEventTypes ?? profile.eventTypes;
  const { requestor, externalVerifier = verifierStandIn } = onboarding ?? {};
  return [
    ...(requestor === undefined || requestor === requestorPlaceholder
      ? [
          {
            path: ['onboarding', 'requestor'],
            message: `State who acts for a person: "self" if the platform accepts a person as the requestor of its own identification before it is ACTIVE; otherwise the id of a natural person with an ACTIVE proxy for each person. ${ask} which.`,
          },
        ]
      : []),
    ...(externalVerifier === verifierStandIn
      ? [
          {
            path: ['onboarding', 'externalVerifier'],
            message: `State the word of the platform for the vendor of identifications, which the specification writes as ${verifierStandIn}. ${ask} for it. Write "NONE" if you identify no one by video.`,
          },
        ]
      : []),
    ...(registered.includes(exAnteStandIn)
      ? [
          {
            path: ['platformProfile', 'exAnteEventType'],
            message: `State the event type of the platform that the specification writes as ${exAnteStandIn}, or "none" if it has none. ${ask}: the first word is a vendor.`,
          },
        ]
      : []),
  ];
}

/** The stand-ins that an environment may not be deployed with. */
export function findRefusedStandIns(settings: StandInSettings & Pick<Settings, 'keepStandIns'>): readonly Issue[] {
  const found = findStandIns(settings);
  // A placeholder was not a default of any release: the platform has no such person.
  const hasPlaceholder = settings.onboarding?.requestor === requestorPlaceholder;
  return settings.keepStandIns === true ? found.filter(({ path }) => hasPlaceholder && path[1] === 'requestor') : found;
}

const keepStandInsAdvice =
  'docs/how-to/deploy.md of Drawbridge lists what to ask. If release 0.2.0 has deployed this environment, you can keep its defaults for now: add the line "keepStandIns": true to the settings. The alarm StandInsUsed is on until you have stated the settings.';

/**
 * Refuses what no environment but the laptop may be deployed with.
 *
 * @param source where the settings are from, as the message names it
 * @param standIns further settings that have a stand-in
 * @throws {SettingsError} naming each setting that has a placeholder or a stand-in
 */
export function refuseUnready(
  name: string,
  { values = {}, standIns = [] }: { readonly values?: unknown; readonly standIns?: readonly Issue[] },
  source: string,
): void {
  if (name === laptop) return;
  const issues = [...findPlaceholders(values), ...standIns];
  if (issues.length > 0)
    refuseSettings(
      describeIssues(issues),
      `${source} is not ready to deploy`,
      standIns.length > 0 ? [keepStandInsAdvice] : [],
    );
}

/** The addresses among the settings that no deployment can use. */
export function findPlaceholders(value: unknown, path: readonly PropertyKey[] = []): readonly Issue[] {
  if (typeof value === 'string')
    return isPlaceholder(value)
      ? [{ path, message: `${value} is a placeholder, or an address of this machine. Set the real address.` }]
      : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => findPlaceholders(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findPlaceholders(item, [...path, key]));
}

function isPlaceholder(text: string): boolean {
  const host = hostOf(text);
  return ownAddresses.has(host) || reservedDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Of a URL, an e-mail address or a domain name with a dot. Empty for any other text. */
function hostOf(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.hostname.replace(/\.$/, '');
  return /^(?:[^\s@/]+@)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i.exec(text)?.[1]?.toLowerCase() ?? '';
}
