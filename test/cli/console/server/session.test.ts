import { expect, it } from 'vitest';
import { createSession } from '#cli/console/server/session.ts';

const secrets = () => {
  let count = 0;
  return () => {
    count += 1;
    return `secret-${count}`;
  };
};

it('opens one session for the token, and none for the token a second time', () => {
  const session = createSession(secrets());
  const opened = session.open(session.token);
  expect(session.isOpen(opened)).toBe(true);
  expect(session.open(session.token)).toBeUndefined();
});

it('opens no session for another text, and keeps the token for its owner', () => {
  const session = createSession(secrets());
  expect(session.open('secret-2')).toBeUndefined();
  expect(session.isOpen('secret-2')).toBe(false);
  expect(session.open(session.token)).toBeDefined();
});

it('gives each start a token of 256 random bits', () => {
  const tokens = Array.from({ length: 50 }, () => createSession().token);
  expect(new Set(tokens).size).toBe(50);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
});
