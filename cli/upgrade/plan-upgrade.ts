import { compareVersions, minorOf } from '#shared/version.ts';

export type UpgradePlan = {
  readonly deployed: string;
  readonly installed: string;
  /** `unsupported` from what was deployed before the first release. */
  readonly direction: 'none' | 'upgrade' | 'rollback' | 'unsupported';
  /** The minor releases in between, in the order of the way. Each is deployed before the next. */
  readonly skippedMinors: readonly string[];
  /** What you and the callers do before the upgrade. */
  readonly before: readonly string[];
  /** What behaves differently afterwards. */
  readonly changes: readonly string[];
  readonly removed: readonly string[];
};

type Release = { readonly version: string; readonly text: string };

/** What the changelog says of the way from the deployed release to the installed one. */
export function planUpgrade({
  deployed,
  installed,
  changelog,
}: {
  readonly deployed: string;
  readonly installed: string;
  readonly changelog: string;
}): UpgradePlan {
  const released = releasesOf(changelog);
  const order = compareVersions(installed, deployed);
  const isBeforeAll =
    order !== 0 && released.length > 0 && released.every(({ version }) => compareVersions(version, deployed) > 0);
  const releases = released
    .filter(({ version }) => compareVersions(version, deployed) > 0 && compareVersions(version, installed) <= 0)
    .toSorted((one, other) => compareVersions(one.version, other.version));
  const itemsOf = (heading: string) => releases.flatMap(({ text }) => itemsBelow(text, heading));
  const direction = isBeforeAll ? 'unsupported' : directionOf(order);
  return {
    deployed,
    installed,
    direction,
    skippedMinors: skippedMinorsOf({ direction, deployed, installed }, releases),
    before: itemsOf('Before you upgrade'),
    changes: itemsOf('Changed'),
    removed: itemsOf('Removed'),
  };
}

function directionOf(order: number): UpgradePlan['direction'] {
  if (order === 0) return 'none';
  return order > 0 ? 'upgrade' : 'rollback';
}

/** Nothing before the first release can be brought to it, so that none is skipped on this way. */
function skippedMinorsOf(
  { direction, deployed, installed }: Pick<UpgradePlan, 'direction' | 'deployed' | 'installed'>,
  releases: readonly Release[],
): readonly string[] {
  const ends = [minorOf(deployed), minorOf(installed)];
  if (direction === 'upgrade')
    return [...new Set(releases.map(({ version }) => minorOf(version)))].filter((minor) => !ends.includes(minor));
  if (direction !== 'rollback') return [];
  // The changelog of an earlier release does not name the later ones.
  const [from, to] = [numbersOf(deployed), numbersOf(installed)];
  if (from.major !== to.major) return [];
  return Array.from(
    { length: Math.max(0, from.minor - to.minor - 1) },
    (_, one) => `${to.major}.${from.minor - 1 - one}`,
  );
}

function numbersOf(version: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { major, minor };
}

function releasesOf(changelog: string): readonly Release[] {
  return changelog.split(/^## /m).flatMap((text) => {
    const version = /^(\d+\.\d+\.\d+)\b/.exec(text)?.[1];
    return version === undefined ? [] : [{ version, text }];
  });
}

/** The items of a list, each as one line without Markdown. */
function itemsBelow(text: string, heading: string): readonly string[] {
  const section = text.split(/^### /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return section
    .split(/^- /m)
    .slice(1)
    .map((item) => {
      const [paragraph = ''] = item.split('\n\n');
      return paragraph
        .replaceAll(/ \(\[[^\][]*\]\([^()]*\)\)/g, '')
        .replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1')
        .replaceAll(/`|\*\*/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
    });
}
