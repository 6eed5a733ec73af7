/**
 * Of functions that walk long lists. V8 otherwise lets short-lived objects take three times 16 MB before it collects them, so that
 * memory grows with the length of the list. Live objects take some 15 MB.
 */
export const walkNodeOptions = '--max-semi-space-size=4';
