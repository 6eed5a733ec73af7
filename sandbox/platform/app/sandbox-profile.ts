import { platformProfile } from '#shared/platform/profile/profile.ts';

/** What the sandbox platform checks beyond the specification. settings/laptop.json says the same to Drawbridge. */
export const sandboxProfile = platformProfile.parse({
  times: { dayZone: 'UTC' },
  sentFields: {
    maxTextLength: 255,
    zip: { minLength: 3, maxLength: 10 },
    phone: { minLength: 3, maxLength: 20 },
    hasCapitalEnums: true,
    hasAsciiHeaders: true,
  },
});
