/** The domains of partitions other than `aws`, by the beginning of their regions. */
const suffixes = {
  'cn-': 'amazonaws.com.cn',
  'eusc-': 'amazonaws.eu',
  'us-iso-': 'c2s.ic.gov',
  'us-isob-': 'sc2s.sgov.gov',
  'us-isof-': 'csp.hci.ic.gov',
  'eu-isoe-': 'cloud.adc-e.uk',
} as const;

/** The host name of a service in a region: https://docs.aws.amazon.com/general/latest/gr/rande.html */
export function hostOf(service: string, region: string): string {
  const [, suffix = 'amazonaws.com'] =
    Object.entries(suffixes).find(([beginning]) => region.startsWith(beginning)) ?? [];
  return `${service}.${region}.${suffix}`;
}
