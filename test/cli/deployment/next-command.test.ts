import { describe, expect, it } from 'vitest';
import { inCommands, nextCommand } from '#cli/deployment/next-command.ts';
import { remedyAtEnd } from '#functions/onboarding/accept/accept-request.ts';
import * as problemTypes from '#shared/lambda/problem-types.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';

describe('cli: the next command after a problem of the API', () => {
  it.each([
    ['/entities/order/x', 'entity-not-found', 'drawbridge orders ls'],
    ['/entities/natural-person/%20', 'invalid-id', 'drawbridge persons ls'],
    ['/events/5e1f', 'event-not-found', 'drawbridge events ls'],
    ['/onboardings/nobody', 'onboarding-not-found', 'drawbridge onboardings ls'],
    // Of an export as well as of an erasure: an erasure is no remedy for an export.
    ['/persons/your-id', 'person-unknown', 'run the command again with --natural-person ID'],
  ])('names the command for %s', (path, problemType, command) => {
    expect(nextCommand(path, problemType, 'a remedy')).toContain(command);
  });

  it.each([
    ['/events', 'give its whole id', 'listEvents'],
    ['/entities/order', 'give its whole id', 'listEntities'],
  ])('asks for the whole id, or for the setting, when %s keeps no list', (path, whole, setting) => {
    const next = nextCommand(path, 'list-not-kept', 'Send quarantineReason=ANY, or one reason.');
    expect(next).toContain(whole);
    expect(next).toContain(`set ${setting} in the settings file`);
    expect(next).not.toContain('quarantineReason');
  });

  it('keeps the remedy of any other problem', () => {
    expect(nextCommand('/onboardings', 'invalid-request', 'Correct each field.')).toBe('Correct each field.');
  });

  it('names no HTTP request in any remedy that a command prints', () => {
    const ofRoute: Readonly<Record<string, string>> = { 'onboarding-not-found': '/onboardings/nobody' };
    const ofProblems = Object.values(problemTypes).map(({ slug, remedy }) =>
      nextCommand(ofRoute[slug] ?? '/persons/one', slug, remedy),
    );
    const ofSteps = onboardingStepWords.flatMap((step) => inCommands(remedyAtEnd(step) ?? ''));
    for (const text of [...ofProblems, ...ofSteps])
      expect(text).not.toMatch(/(GET|POST|PATCH|DELETE) \/|query parameter n/);
  });
});
