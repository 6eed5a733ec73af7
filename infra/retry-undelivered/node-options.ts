/**
 * Of functions that walk long lists, with 1,024 MB. Live objects take some 15 MB, however long the list is. V8 otherwise lets short-lived
 * objects take three times 16 MB before it collects them, and old ones four times what is live, if a machine has memory for
 * more: a long list would take more memory than a short one.
 */
export const walkNodeOptions = '--max-semi-space-size=4 --max-old-space-size=768';
