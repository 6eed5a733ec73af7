import { connectDrawbridge, type OnboardingRequest } from '@drawbridge-partner/drawbridge/client';

const { onboardings } = connectDrawbridge({ apiUrl: process.env['DRAWBRIDGE_API_URL'] ?? '' });

type Asked = { readonly start: OnboardingRequest } | { readonly show: string };

/** What the bank's website invokes it with. A start that is repeated has the same effect as one. */
export async function handler(asked: Asked): Promise<object> {
  if ('start' in asked) return onboardings.start(asked.start);
  const shown = await onboardings.get(asked.show);
  return { step: shown?.step, identificationUrl: shown?.identificationUrl };
}
