import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextOf } from '#cli/webhooks/format-register-report.ts';
import { readPlanRow } from '#cli/webhooks/register-report.ts';
import { describePlan, planRegistrations } from '#functions/webhook-ingest/register/plan-registrations.ts';
import { firstSecret, header, someOptions, someWanted, someWebhooks, wantedWith, webhook } from './registrations.ts';

describe('the plan of registrations as text', () => {
  it('says what is to be done first, and what is well last', () => {
    const wanted = wantedWith({ eventTypes: ['A', 'B', 'C', 'D', 'E', 'F'] });
    const webhooks = [
      webhook('A'),
      webhook('B', { url: 'https://another.example/x', headers: null }),
      webhook('C', { headers: [{ name: 'X-Old', value: firstSecret }] }),
      webhook('D', { url: 'https://another.example/y', headers: null }),
      webhook('G'),
      webhook('H'),
    ];
    const plan = planRegistrations(wanted, { webhooks, missing: ['E', 'NEW'] }, { takeOver: ['D'], remove: ['H'] });
    expect(describePlan(plan)).toEqual([
      '~ C: update (header name, header value, other headers)',
      '~ D: take over (url, header name, header value)',
      '+ E: create',
      '+ F: create, although the platform does not seem to know it',
      '- H: remove',
      '! B: leads to https://another.example, not ours: take it over to replace it',
      '! G: registered by Drawbridge, but no longer configured: remove it to get no more of its deliveries',
      '  A: unchanged',
      '  NEW: not configured, left alone',
    ]);
  });

  it('has lines of which the command line and the console know what an operator can ask for', () => {
    const others = [webhook('B', { url: 'https://another.example/x', headers: null }), webhook('G')];
    const wanted = wantedWith({ eventTypes: ['B'] });
    const lines = describePlan(
      planRegistrations(wanted, { webhooks: others, missing: [] }, { takeOver: [], remove: [] }),
    );
    expect(lines.map((line) => [readPlanRow(line).decision, nextOf(line)])).toEqual([
      ['take over', 'drawbridge webhooks apply --take-over B'],
      ['remove', 'drawbridge webhooks apply --remove G'],
    ]);
  });

  it('promise 8: says no secret, and nothing of the URLs of others', () => {
    fc.assert(
      fc.property(someWanted, someWebhooks, someOptions, (wanted, webhooks, options) => {
        const text = describePlan(planRegistrations(wanted, { webhooks, missing: [] }, options)).join('\n');
        expect(text).not.toMatch(/1111|2222|3333|canary|another secret/);
        expect(text).not.toContain(header);
      }),
    );
  });
});
