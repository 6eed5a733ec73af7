import { join } from 'node:path';
import { bundleFunction } from '#infra/bundles/bundle.ts';
import { type Job, type JobSample, jobs, runJob } from './run-job.ts';

/** Lengths of the list. */
export const jobSizes = { small: 1_000, large: 100_000 } as const;

export type JobBenchOptions = {
  readonly directory: string;
  /** For the short list. The long list is walked once, because that takes minutes. */
  readonly rounds: number;
  /** The file of a bundle of `drain` from an earlier commit: it is measured in turn with this one's. */
  readonly before?: string | undefined;
  readonly onRun: (what: string) => void;
};

export type JobResult = {
  readonly job: Job;
  readonly version: 'now' | 'before';
  readonly samples: readonly JobSample[];
};

/** Measures `drain` and `reconcile`, each walk in a new process, over stub servers that begin empty. */
export async function benchJobs({ directory, rounds, before, onRun }: JobBenchOptions): Promise<readonly JobResult[]> {
  const own = jobs.map((job) => ({ job, version: 'now', bundle: bundleJob(job, directory) }) as const);
  const earlier = before === undefined ? [] : [{ job: 'drain', version: 'before', bundle: before } as const];
  const peers = [...earlier, ...own];
  const samples = new Map<(typeof peers)[number], JobSample[]>();
  for (const size of [...Array.from({ length: rounds }, () => jobSizes.small), jobSizes.large])
    for (const peer of peers) {
      onRun(`${peer.job} (${peer.version}), ${size}`);
      samples.set(peer, [...(samples.get(peer) ?? []), await runJob(peer.job, peer.bundle, size, directory)]);
    }
  return peers.map((peer) => ({ job: peer.job, version: peer.version, samples: samples.get(peer) ?? [] }));
}

function bundleJob(job: Job, directory: string): string {
  const folder = join(directory, job);
  bundleFunction(`functions/retry-undelivered/${job}/lambda.ts`, folder);
  return join(folder, 'index.mjs');
}
