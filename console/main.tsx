import { render } from 'preact';
import { followAddresses } from './app/router.ts';
import { Shell } from './app/shell.tsx';
import { applyTheme } from './app/theme.ts';
import { connectLive } from './data/live.ts';
import { openSession } from './data/session-token.ts';

applyTheme();
await openSession();
followAddresses();
connectLive();
const root = document.getElementById('console');
if (root !== null) render(<Shell />, root);
