import { createSharedValue } from '#console/data/shared-value.ts';

export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

const key = 'drawbridge-theme';

const stored = themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';

export const theme = createSharedValue<Theme>(stored);

/** Shows the pages in a theme, now and the next time. */
export function setTheme(next: Theme): void {
  localStorage.setItem(key, next);
  theme.set(next);
  applyTheme();
}

export function applyTheme(): void {
  const current = theme.get();
  if (current === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', current);
}
