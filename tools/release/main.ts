/** Keeps what later versions are compared with: the templates, the API and the events, and what the functions stored in the last `npm test`. */
await import('./save-release.ts');
if (process.exitCode === undefined) await import('./save-stored-data.ts');

export {};
