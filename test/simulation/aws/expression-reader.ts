/** The simulated service does not support a feature yet. Add the feature, and compare with the emulator. */
export class NotSimulatedError extends Error {
  override readonly name = 'NotSimulatedError';
}

/** Reads a DynamoDB expression token by token. Keywords are case-insensitive. */
export type ExpressionReader = {
  /** Takes the next token if it is this one. */
  readonly take: (token: string) => boolean;
  /** @throws {NotSimulatedError} when the next token is another */
  readonly expect: (token: string) => void;
  /** Takes the next token if it is one of these. */
  readonly takeOneOf: <Token extends string>(tokens: readonly Token[]) => Token | undefined;
  /** Takes the name of an attribute, `#name` or literal, or the placeholder of a value. */
  readonly takeWord: (kind: 'name' | 'value') => string | undefined;
  /** @throws {NotSimulatedError} */
  readonly refuse: () => never;
  readonly isAtEnd: () => boolean;
};

const token = /\s*(<>|<=|>=|[=<>(),]|[#:]?[A-Za-z_]\w*|\S)/y;
const words = { name: /^#?[A-Za-z_]\w*$/, value: /^:\w+$/ };

export function readExpression(expression: string): ExpressionReader {
  const tokens = tokensOf(expression);
  let next = 0;
  const peek = () => tokens[next] ?? '';
  const is = (one: string) => peek().toUpperCase() === one.toUpperCase();

  function take(one: string): boolean {
    if (!is(one)) return false;
    next += 1;
    return true;
  }

  function refuse(): never {
    throw new NotSimulatedError(
      `The simulation cannot read "${expression}" from "${tokens.slice(next).join(' ')}" on.`,
    );
  }

  return {
    take,
    refuse,
    expect: (one) => {
      if (!take(one)) refuse();
    },
    takeOneOf: (some) => {
      const found = some.find(is);
      if (found !== undefined) next += 1;
      return found;
    },
    takeWord: (kind) => {
      const word = peek();
      if (!words[kind].test(word)) return undefined;
      next += 1;
      return word;
    },
    isAtEnd: () => next === tokens.length,
  };
}

function tokensOf(expression: string): readonly string[] {
  return Array.from(expression.trim().matchAll(new RegExp(token, 'g')), ([, one = '']) => one);
}
