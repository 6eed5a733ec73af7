import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { actionMeanings, logMeanings } from '#docs/generate/logs/log-meanings.ts';
import { logMessagesIn } from '#docs/generate/logs/log-messages.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { logQueries } from '#infra/monitoring/log-queries.ts';
import { createLog } from '#shared/lambda/log.ts';
import { deployedEnvironment, deployedStack, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const files = globSync('{functions,shared}/**/*.ts', { cwd: repositoryRoot });
const messages = files.flatMap((file) => logMessagesIn(file, readFileSync(join(repositoryRoot, file), 'utf8')));

/** The fields of a line that our functions and commands log, of an error too. */
function fieldsOfLines(): readonly string[] {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ write: (line) => void lines.push(JSON.parse(line)), now: () => new Date(0) });
  class OwnError extends Error {}
  log.error('a', { error: Object.assign(new OwnError('b'), { [Symbol.for('drawbridge.messageMayBeLogged')]: true }) });
  const [{ error, ...always } = {}] = lines;
  const ofErrors = Object.keys(z.looseObject({}).parse(error)).map((name) => `error.${name}`);
  const ofActions = Object.values(actionMeanings).flatMap(({ fields }) => fields);
  return [...Object.keys(always), ...ofErrors, ...messages.flatMap(({ fields }) => fields), ...ofActions];
}

/** Lambda writes them: https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html */
const ofLambda = ['type', 'record.status', 'record.metrics.durationMs'];

/** The field names of the access log of the deployed API. */
function fieldsOfAccessLog(): readonly string[] {
  const { Properties } = theResource(deployedStack('service'), 'AWS::ApiGatewayV2::Stage');
  const { Format } = z.object({ Format: z.string() }).parse(Properties['AccessLogSettings']);
  return Object.keys(z.record(z.string(), z.string()).parse(JSON.parse(Format)));
}

/** The words of the query language that the queries use. */
const language = 'fields filter stats sort limit as by asc desc and or in like count sum max pct bin'.split(' ');

/** The names of fields in a query: all words that are no text, no command and no name that the query gives. */
function fieldsIn(query: string): readonly string[] {
  const bare = query.replaceAll(/"[^"]*"|\/(?:[^/\\]|\\.)+\//g, ' ');
  const given = [...bare.matchAll(/\bas (\w+)/g)].map(([, name]) => name);
  const words = [...bare.matchAll(/`(\w+)`|(?<![\w.@])([@A-Za-z][\w.]*)/g)];
  return words.flatMap(([, quoted, word = '']) => {
    if (quoted !== undefined) return [quoted];
    return language.includes(word) || given.includes(word) ? [] : [word];
  });
}

/** The messages that a query selects by their whole text. */
function messagesOf(query: readonly string[]): readonly string[] {
  return [...query.join('\n').matchAll(/message (?:=|in) (\[[^\]]*\]|"[^"]*")/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, message = '']) => message),
  );
}

describe.each(logQueries)('the saved query $name', ({ name, query, of, shows, replace = [] }) => {
  const text = query.join('\n| ');
  const deployed = resourcesOf(deployedStack('service'), 'AWS::Logs::QueryDefinition').find(
    ({ Properties }) => Properties['Name'] === `drawbridge-${deployedEnvironment()}/${name}`,
  );

  it('is deployed for log groups of the stack', () => {
    expect(deployed?.Properties['QueryString']).toBe(text);
    const groups = z.array(z.object({ Ref: z.string() })).parse(deployed?.Properties['LogGroupNames']);
    const all = resourcesOf(deployedStack('service'), 'AWS::Logs::LogGroup').map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining(groups.map(({ Ref }) => Ref)));
    // Nothing is written to the access log of release 0.2.0 any more.
    const counts = { functions: all.length - 2, 'access log': 1 };
    expect(groups).toHaveLength(counts[of]);
    // More are refused.
    expect(groups.length).toBeLessThanOrEqual(50);
  });

  it('uses fields that its log lines have', () => {
    const known = [
      '@timestamp',
      '@log',
      ...(of === 'access log' ? fieldsOfAccessLog() : [...fieldsOfLines(), ...ofLambda]),
    ];
    const used = fieldsIn(text);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((field) => !known.includes(field))).toEqual([]);
  });

  it('selects only messages that a function logs', () => {
    const selected = messagesOf(query);
    for (const message of selected) expect({ ...logMeanings, ...actionMeanings }).toHaveProperty([message]);
    expect(selected.length > 0).toBe(query.some((line) => /^filter .*\bmessage\b/.test(line)));
  });

  it('says what it shows, and names each word to replace', () => {
    expect(shows).toMatch(/^[a-z].{10,}[^.]$/);
    expect([...text.matchAll(/"([A-Z_]+_ID)"/g)].map(([, word]) => word)).toEqual(replace);
  });
});

const grouping = logQueries.filter(({ query }) => {
  const text = query.join('\n');
  return messagesOf(query).length === 1 && / by /.test(text) && !text.includes(' like ');
});

describe.each(grouping)('the saved query $name', ({ query }) => {
  it('groups by fields that the lines of its message have', () => {
    const [, grouped = ''] = / by (.*)/.exec(query.join('\n')) ?? [];
    const logged = messages.filter(({ message }) => messagesOf(query).includes(message));
    const wanted = fieldsIn(grouped);
    expect(wanted).not.toEqual([]);
    expect(logged.flatMap(({ fields }) => fields)).toEqual(expect.arrayContaining([...wanted]));
  });
});
