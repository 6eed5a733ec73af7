import { beforeAll, describe, it } from 'vitest';
import { allowed, expectVerdict, lintSnippets, refused, type Snippet } from './lint-snippets.ts';

/** Each kind of import: of a value, of a type, for its effect, and at run time. */
const forms = {
  value: (source: string) => `import { a } from '${source}';\n\nexport const used = [a];\n`,
  type: (source: string) => `import type { A } from '${source}';\n\nexport type B = A;\n`,
  effect: (source: string) => `import '${source}';\n`,
  dynamic: (source: string) => `export const load = () => import('${source}');\n`,
};
type Form = keyof typeof forms;
const everyForm: readonly Form[] = ['value', 'type', 'effect', 'dynamic'];

type Rule = {
  /** Whose imports these are: a path, in which \`*\` makes a file of its own for each import. */
  readonly from: string;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
  /** What the refusal says. */
  readonly message: string;
};

/** What each domain of shared may import of the others: nothing above it. */
const layers: Readonly<Record<string, readonly string[]>> = {
  aws: [],
  lambda: [],
  secrets: [],
  entities: ['platform', 'aws'],
  bus: ['platform', 'entities'],
  events: ['platform', 'aws', 'lambda', 'entities', 'bus'],
  onboarding: ['platform', 'aws', 'entities'],
  connection: ['platform', 'aws', 'lambda', 'secrets'],
};

function sharedLayers(): readonly Rule[] {
  const domains = [...Object.keys(layers), 'platform'];
  return Object.entries(layers).map(([domain, lower]) => ({
    from: `shared/${domain}/*.ts`,
    allowed: ['./beside.ts', '#shared/drawbridge-error.ts', ...lower.map((one) => `#shared/${one}/some-file.ts`)],
    refused: [
      ...domains.filter((one) => one !== domain && !lower.includes(one)).map((one) => `#shared/${one}/some-file.ts`),
      '#functions/onboarding/advance/advance.ts',
      '#cli/main.ts',
    ],
    message: `shared/${domain} may import only`,
  }));
}

const rules: readonly Rule[] = [
  {
    from: 'functions/webhook-ingest/*/lambda.ts',
    allowed: [
      './receive.ts',
      '#shared/aws/queue.ts',
      '#shared/platform/client/client.ts',
      '@aws-sdk/client-sqs',
      'node:zlib',
    ],
    refused: ['#functions/onboarding/advance/advance.ts', '#infra/settings.ts', '#sandbox/sandbox.ts', '#test/fake.ts'],
    message: 'A function may import only its own folder',
  },
  {
    from: 'functions/webhook-ingest/*.ts',
    allowed: [
      './receive.ts',
      '#shared/aws/queue.ts',
      '#shared/platform/client/client.ts',
      '@aws-sdk/client-sqs',
      'node:zlib',
    ],
    refused: ['#functions/onboarding/advance/advance.ts', '#infra/settings.ts', '#sandbox/sandbox.ts', '#test/fake.ts'],
    message: 'A function may import only its own folder',
  },
  {
    from: 'shared/*.ts',
    allowed: [
      './queue.ts',
      './platform/client.ts',
      '#shared/aws/queue.ts',
      '@aws-sdk/client-sqs',
      'zod/mini',
      'node:zlib',
    ],
    refused: ['#functions/onboarding/advance/advance.ts', '#infra/settings.ts', '#sandbox/sandbox.ts', '#test/fake.ts'],
    message: 'shared may import only #shared and packages.',
  },
  {
    from: 'shared/platform/*.ts',
    allowed: [
      './client.ts',
      '#shared/platform/client/client.ts',
      'zod',
      'zod/mini',
      'node:crypto',
      'node:timers/promises',
    ],
    refused: [
      '@aws-sdk/client-sqs',
      '@middy/core',
      'zod/v4/core',
      '#shared/aws/queue.ts',
      '#shared/platform-events/queue.ts',
      '#functions/onboarding/advance/advance.ts',
      '#infra/settings.ts',
      '#sandbox/sandbox.ts',
      '#test/fake.ts',
    ],
    message: 'shared/platform may import only zod, zod/mini, node:*',
  },
  {
    from: 'functions/onboarding/advance/*.ts',
    allowed: [
      './advance.ts',
      '#functions/onboarding/state-machine/decisions.ts',
      '#functions/onboarding/observe/observe.ts',
      '#functions/onboarding/accept/accept-request.ts',
    ],
    refused: [
      '#functions/onboarding/api/routes.ts',
      '#functions/onboarding/update-person/update-person.ts',
      '#functions/webhook-ingest/receive/receive.ts',
      '#infra/settings.ts',
      '#sandbox/sandbox.ts',
      '#cli/main.ts',
    ],
    message: 'A function of the onboarding may import its own folder',
  },
  {
    from: 'functions/onboarding/state-machine/*.ts',
    allowed: ['./decisions.ts', '#shared/onboarding/onboarding-steps.ts'],
    refused: ['#functions/onboarding/advance/advance.ts', '#functions/onboarding/observe/observe.ts'],
    message: 'The state machine may import only its own folder',
  },
  ...sharedLayers(),
  {
    from: 'infra/*.ts',
    allowed: ['./settings.ts', '#infra/settings.ts', '#shared/aws/queue.ts', 'aws-cdk-lib', 'node:path'],
    refused: ['#sandbox/sandbox.ts', '#tools/bench/main.ts', '#test/fake.ts'],
    message: 'infra may import only #infra, #shared, packages and types from #functions.',
  },
  {
    from: 'sandbox/*.ts',
    allowed: ['./sandbox.ts', '#sandbox/sandbox.ts', '#shared/aws/queue.ts', 'hono', 'node:http'],
    refused: ['#functions/onboarding/advance/advance.ts', '#infra/settings.ts', '#test/fake.ts'],
    message: 'sandbox may import only #shared, #sandbox and packages.',
  },
  {
    from: 'cli/*.ts',
    allowed: [
      './main.ts',
      '#cli/main.ts',
      '#sandbox/terminal/table.ts',
      '#shared/lambda/env.ts',
      '#infra/settings.ts',
      'commander',
    ],
    refused: [
      '#functions/onboarding/advance/advance.ts',
      '#infra/create-app.ts',
      '#tools/bench/main.ts',
      '#test/fake.ts',
    ],
    message: 'cli may import only #shared, #sandbox, #cli, packages',
  },
  {
    from: 'package/*.ts',
    allowed: [
      './beside.ts',
      '#package/build/entries.ts',
      '#shared/platform/client/client.ts',
      '#infra/settings.ts',
      '#cli/console/assets/build-assets.ts',
      'zod',
    ],
    refused: ['#functions/onboarding/advance/advance.ts', '#sandbox/sandbox.ts', '#cli/main.ts', '#test/fake.ts'],
    message: 'package may import only',
  },
  {
    from: 'console/*.ts',
    allowed: ['./beside.ts', '#console/data/read.ts', '#cli/console/reads/reads.ts', '#shared/version.ts', 'preact'],
    refused: [
      'node:fs',
      '#functions/onboarding/advance/advance.ts',
      '#infra/settings.ts',
      '#sandbox/sandbox.ts',
      '#cli/main.ts',
      '#test/fake.ts',
    ],
    message: 'The pages run in a browser',
  },
  {
    from: 'test/*.ts',
    allowed: [
      '#functions/onboarding/advance/advance.ts',
      '#infra/settings.ts',
      '#sandbox/sandbox.ts',
      '#test/fake.ts',
      'vitest',
    ],
    refused: [],
    message: '',
  },
  {
    from: 'scripts/*.ts',
    allowed: ['#shared/aws/queue.ts'],
    refused: ['#test/fake.ts', '#tools/bench/main.ts'],
    message: 'Only tools/ and test/ may import #tools and #test.',
  },
];

/** Ways up and out of a folder, refused in every folder. */
const waysUp = [
  '../queue.ts',
  '../../queue.ts',
  '..',
  './../queue.ts',
  './deep/../../queue.ts',
  '#shared/../infra/app.ts',
  '#shared/platform/../queue.ts',
];
const folders = [
  'functions/webhook-ingest',
  'shared',
  'shared/platform',
  'shared/entities',
  'infra',
  'sandbox/aws',
  'test',
  'test/infra',
];

/** Imports that hide from the rules above, and are refused. */
const hidden: readonly (readonly [string, string, string])[] = [
  ['a type that imports', `export type B = import('./x.ts').A;\n`, "Do not use import('…') as a type"],
  ['a name from a variable', 'export const load = (name: string) => import(name);\n', 'Dynamic import() must name'],
  ['a name from a template', 'export const load = () => import(`./x.ts`);\n', 'Dynamic import() must name'],
  ['require', `const a = require('./x.ts');\nexport const used = [a];\n`, 'noCommonJs'],
  ['import =', `import a = require('./x.ts');\n\nexport const used = [a];\n`, 'No import = '],
  ['an undeclared package', `import { a } from 'lodash';\n\nexport const used = [a];\n`, 'noUndeclaredDependencies'],
];

/** Imports from functions to infra: types are allowed, and nothing that runs. */
const fromFunctions: readonly (readonly [string, string, boolean])[] = [
  ['a type', `import type { A } from '#functions/onboarding/advance/advance.ts';\n\nexport type B = A;\n`, true],
  [
    'a namespace of types',
    `import type * as A from '#functions/onboarding/advance/advance.ts';\n\nexport type B = A.C;\n`,
    true,
  ],
  ['a value', forms.value('#functions/onboarding/advance/advance.ts'), false],
  [
    'a namespace',
    `import * as a from '#functions/onboarding/advance/advance.ts';\n\nexport const used = [a];\n`,
    false,
  ],
  ['an effect', forms.effect('#functions/onboarding/advance/advance.ts'), false],
  ['a value at run time', forms.dynamic('#functions/onboarding/advance/advance.ts'), false],
];

let files = 0;
const inFileOfItsOwn = (path: string) => path.replace('*', `case-${files++}`);

function snippetsOf({ from, message, ...sources }: Rule): readonly Snippet[] {
  const snippet = (source: string, form: Form, finding?: string): Snippet => ({
    what: `${from} → ${source} (${form})`,
    path: inFileOfItsOwn(from),
    code: forms[form](source),
    ...(finding !== undefined && { finding }),
  });
  return [
    ...sources.allowed.flatMap((source) => [snippet(source, 'value'), snippet(source, 'type')]),
    ...sources.refused.flatMap((source) => everyForm.map((form) => snippet(source, form, message))),
  ];
}

const downward = rules.flatMap(snippetsOf);
const upward = folders.flatMap((folder) =>
  waysUp.flatMap((source) =>
    (source === '../queue.ts' ? everyForm : (['value'] as const)).map(
      (form): Snippet => ({
        what: `${folder} → ${source} (${form})`,
        path: inFileOfItsOwn(`${folder}/*.ts`),
        code: forms[form](source),
        finding: 'No parent-relative imports',
      }),
    ),
  ),
);
const opaque = hidden.map(
  ([what, code, finding]): Snippet => ({ what, path: inFileOfItsOwn('shared/*.ts'), code, finding }),
);
const ofFunctions = fromFunctions.map(
  ([what, code, isAllowed]): Snippet => ({
    what,
    path: inFileOfItsOwn('infra/*.ts'),
    code,
    ...(!isAllowed && { finding: 'infra may take only types from functions' }),
  }),
);

let found: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  found = await lintSnippets([...downward, ...upward, ...opaque, ...ofFunctions]);
});

const verdict = (_: string, snippet: Snippet) => expectVerdict(found, snippet);

describe('the rule that imports go down only', () => {
  it.each(allowed(downward))('allows the import %s', verdict);
  it.each(refused(downward))('refuses the import %s', verdict);
});

describe('the rule that infra imports only types from functions', () => {
  it.each(allowed(ofFunctions))('allows the import of %s', verdict);
  it.each(refused(ofFunctions))('refuses the import of %s', verdict);
});

describe('the rule that another folder has a # name', () => {
  it.each(refused(upward))('refuses the import %s', verdict);
});

describe('the rule against imports that the rules cannot see', () => {
  it.each(refused(opaque))('refuses an import by %s', verdict);
});
