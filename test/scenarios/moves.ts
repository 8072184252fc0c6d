/** Everything a step can do, by name. A new kind of step is a new entry in one of these tables. */
import type { Move } from './move.ts';
import { code } from './moves/code.ts';
import { command } from './moves/command.ts';
import { dashboard } from './moves/dashboard.ts';
import { slack } from './moves/slack.ts';
import { time } from './moves/time.ts';
import { world } from './moves/world.ts';

export const moves: Readonly<Record<string, Move>> = { ...code, ...world, ...time, ...command, ...slack, ...dashboard };
