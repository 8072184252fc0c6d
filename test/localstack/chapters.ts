/** What is told of the deployed stack, in order: the story's own chapters, and those that only a deployed stack can tell. */
import type { Chapter } from '../e2e/story/chapter.ts';
import { again } from '../e2e/story/chapters/again.ts';
import { closing } from '../e2e/story/chapters/closing.ts';
import { consoleEdit } from '../e2e/story/chapters/console.ts';
import { neighbour } from '../e2e/story/chapters/neighbour.ts';
import { opening } from '../e2e/story/chapters/opening.ts';
import { refusal } from '../e2e/story/chapters/refusal.ts';
import { unchanged } from '../e2e/story/chapters/unchanged.ts';
import { deployment } from './chapters/deployment.ts';
import { door } from './chapters/door.ts';
import { tick } from './chapters/tick.ts';

export const chapters: readonly Chapter[] = [door, opening, again, unchanged, consoleEdit, deployment, neighbour, refusal, tick, closing];
