import { describe, expect, it } from 'vitest';
import { readAlarmRule } from '#sandbox/aws/cloud-watch/alarm-rule.ts';

/** Whether the rule holds while these alarms are on, and all others are OK. */
function holds(rule: string, ...on: readonly string[]): boolean {
  return readAlarmRule(rule)((alarm) => (on.includes(alarm) ? 'ALARM' : 'OK'));
}

describe('the rule of a composite alarm', () => {
  it('combines the states of others, NOT before AND before OR', () => {
    const rule = 'ALARM("a") OR ALARM("b") AND NOT OK("c")';
    expect(holds(rule, 'a')).toBe(true);
    expect(holds(rule, 'b')).toBe(false);
    expect(holds(rule, 'b', 'c')).toBe(true);
  });

  it('reads parentheses and constants', () => {
    expect(holds('(ALARM("a") OR ALARM("b")) AND OK("c")', 'b')).toBe(true);
    expect(holds('(ALARM("a") OR ALARM("b")) AND OK("c")', 'b', 'c')).toBe(false);
    expect(holds('TRUE AND NOT FALSE')).toBe(true);
  });

  it.each(['', 'ALARM("a") OR', '(ALARM("a")', 'ALARM("a") XOR OK("b")', 'ALARM("a") OK("b")'])(
    'is refused where the laptop does not understand it: %j',
    (rule) => {
      expect(() => readAlarmRule(rule)).toThrow('does not understand the rule');
    },
  );
});
