/** `node copying-app.ts <assembly>`: a CDK app that copies stacks that are synthesized, with the settings of its context. */
import * as z from 'zod';
import { copyAssembly } from './copy-assembly.ts';

const environment = z.object({ CDK_OUTDIR: z.string(), CDK_CONTEXT_JSON: z.string() });

const { CDK_OUTDIR, CDK_CONTEXT_JSON } = environment.parse(process.env);
const { 'aws:cdk:enable-path-metadata': _, ...context } = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(CDK_CONTEXT_JSON));
await copyAssembly(process.argv[2] ?? '', { outputDirectory: CDK_OUTDIR, context });
