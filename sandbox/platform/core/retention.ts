/** In seconds: how long a record that is INVALID is kept; then it is purged (section 8). */
export const invalidRetention = 48 * 3_600;
