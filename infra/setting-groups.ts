import * as z from 'zod';
import * as mini from 'zod/mini';
import { findProfileFaults } from '#shared/entities/statuses/check-declared-statuses.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { enumWord, requestorId } from '#shared/platform/fields/fields.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { platformAddress } from './settings-file/platform-address.ts';

/** Retention periods that CloudWatch Logs offers, in days. */
export const logRetentionDays = z.literal([7, 14, 30, 60, 90, 180, 365, 400, 731, 1827, 3653]);

/** Where the platform is: {base_url} and {auth_url} of section 5. */
export const platform = z.strictObject({
  baseUrl: platformAddress.describe("The platform's base URL (section 5.5), without a slash at its end."),
  authUrl: platformAddress.describe('The URL of its token service, without a slash at its end.'),
});

export const reconciliation = z
  .strictObject({
    everyHours: z.int().min(1).max(12).default(1).describe('How often a run asks for what is due.'),
    listEveryHours: z
      .int()
      .min(1)
      .max(168)
      .default(24)
      .describe(
        'How often the runs read all persons of the platform and the verifications of all onboardings. This finds changes that no webhook reported and no status announced.',
      ),
    callsPerSecond: z
      .number()
      .min(0.1)
      .max(100)
      .default(5)
      .describe(
        'Calls to the platform, which documents no rate limit. At 5, a run of 15 minutes reads 85,000 persons.',
      ),
    graceMinutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(15)
      .describe('A change on the platform that is younger than this is not drift: its webhook may be on its way.'),
    readBackAfterHours: z
      .int()
      .min(1)
      .max(8_760)
      .default(6)
      .describe(
        'A verification, a transfer, or a person in a status that should pass, is read back after so long without a report, and as often.',
      ),
    staleAfterHours: z
      .int()
      .min(1)
      .max(8_760)
      .default(168)
      .describe(
        'After so long without a report an entity is read back once more, counted as stale, and not read back any more.',
      ),
  })
  .refine(({ readBackAfterHours, staleAfterHours }) => readBackAfterHours < staleAfterHours, {
    path: ['readBackAfterHours'],
    message: 'must be less than staleAfterHours: nothing would be read back',
  });

/** What a route takes at most. */
export const throttle = z.strictObject({
  rate: z.int().min(1).max(10_000).describe('Requests a second.'),
  burst: z.int().min(1).max(5_000).describe('Requests in a burst.'),
});

/** The platform profile, its statuses checked against those of the specification. */
export const checkedProfile = platformProfile.check(
  mini.superRefine((profile, context) => {
    for (const { path, message } of findProfileFaults(profile))
      context.addIssue({ code: 'custom', path: [...path], message, input: profile });
  }),
);

const stated = {
  requestor: mini.optional(mini.union([mini.literal('self'), requestorId])),
  externalVerifier: mini.optional(enumWord),
};

/** How an environment onboards. The functions have a default for what is not stated here (infra/settings-file/stand-ins.ts). */
export const onboarding = mini.extend(onboardingSettings, stated);

export const sourceRange = z
  .string()
  .refine((text) => z.cidrv4().safeParse(text).success || z.cidrv6().safeParse(text).success, {
    message: 'must be a range such as 203.0.113.0/24 or 2001:db8::/32; write a single address with /32 or /128',
  });

/** In characters: with a longer one, an alarm's description could exceed the limit of CloudWatch. */
export const maxRunbookUrlLength = 300;

/** The address of docs/reference/alarms.md. */
export const runbookUrl = z
  .string()
  .max(maxRunbookUrlLength)
  .refine((text) => URL.parse(text)?.protocol === 'https:' && !/[#\s]/.test(text), {
    message: 'must be an https URL without a fragment: the section of each alarm is put behind it',
  });

/** Who gets the alarms: an e-mail address, or the HTTPS URL of an on-call service. */
export const alarmSubscriber = z.union([z.email(), z.url({ protocol: /^https$/ })], {
  error: 'must be an e-mail address or an https URL',
});
