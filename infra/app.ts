import { createApp } from './create-app.ts';

createApp().app.synth();
