import { SandboxError } from '#sandbox/errors.ts';
import type { AlarmState } from './evaluate-alarm.ts';

/** Whether a composite alarm is on, by the states of others. @param stateOf by the name or the ARN of an alarm */
export type AlarmRule = (stateOf: (alarm: string) => AlarmState) => boolean;

const token = /\s*(?:(AND|OR|NOT)\b|(ALARM|OK|INSUFFICIENT_DATA)\("([^"]+)"\)|(TRUE|FALSE)\b|([()]))/y;

type Token =
  | { readonly kind: 'AND' | 'OR' | 'NOT' | '(' | ')' | 'TRUE' | 'FALSE' }
  | { readonly kind: 'state'; readonly state: string; readonly alarm: string };

/**
 * Reads the rule of a composite alarm: NOT before AND, AND before OR. The names of alarms stand in quotes, as the CDK writes them.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
 *
 * @throws {SandboxError} NOT_HOSTED when the laptop does not understand it
 */
export function readAlarmRule(text: string): AlarmRule {
  const tokens = tokensOf(text);
  let next = 0;

  function take(kind: Token['kind']): boolean {
    if (tokens[next]?.kind !== kind) return false;
    next += 1;
    return true;
  }

  function readOr(): AlarmRule {
    let rule = readAnd();
    while (take('OR')) {
      const [left, right] = [rule, readAnd()];
      rule = (stateOf) => left(stateOf) || right(stateOf);
    }
    return rule;
  }

  function readAnd(): AlarmRule {
    let rule = readNot();
    while (take('AND')) {
      const [left, right] = [rule, readNot()];
      rule = (stateOf) => left(stateOf) && right(stateOf);
    }
    return rule;
  }

  function readNot(): AlarmRule {
    if (!take('NOT')) return readOne();
    const negated = readNot();
    return (stateOf) => !negated(stateOf);
  }

  function readOne(): AlarmRule {
    const one = tokens[next];
    if (take('TRUE')) return () => true;
    if (take('FALSE')) return () => false;
    if (take('(')) {
      const rule = readOr();
      if (!take(')')) throw unknownRule(text);
      return rule;
    }
    if (one?.kind !== 'state') throw unknownRule(text);
    next += 1;
    return (stateOf) => stateOf(one.alarm) === one.state;
  }

  const rule = readOr();
  if (next < tokens.length) throw unknownRule(text);
  return rule;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const [, operator, state, alarm, constant, parenthesis] = token.exec(text) ?? [];
    if (state !== undefined && alarm !== undefined) tokens.push({ kind: 'state', state, alarm });
    else if (operator === 'AND' || operator === 'OR' || operator === 'NOT') tokens.push({ kind: operator });
    else if (constant === 'TRUE' || constant === 'FALSE') tokens.push({ kind: constant });
    else if (parenthesis === '(' || parenthesis === ')') tokens.push({ kind: parenthesis });
    else throw unknownRule(text);
  }
  return tokens;
}

function unknownRule(text: string): SandboxError {
  return new SandboxError('NOT_HOSTED', `The sandbox does not understand the rule of a composite alarm: ${text}`);
}
