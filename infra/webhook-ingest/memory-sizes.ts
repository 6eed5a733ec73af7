/** Memory of the functions that each webhook passes, in megabytes (docs/decisions/cost.md, "Memory sizes by measurement"). */
export const memorySizes = { receive: 1_024, store: 1_024 } as const;
