import { playHalf } from './run-files.ts';

playHalf(1);
