import type { z } from 'zod';
import { clerkEdits } from '../clerk/edits.ts';
import { githubEdits } from '../github/edits.ts';
import { neonEdits } from '../neon/edits.ts';
import { restEdits } from '../rest/edits.ts';
import { vercelEdits } from '../vercel/edits.ts';

/** Every edit there is, by name. */
export const edits = { ...neonEdits, ...vercelEdits, ...clerkEdits, ...githubEdits, ...restEdits } as const;

export type EditName = keyof typeof edits;
export type EditInput<Name extends EditName> = z.input<(typeof edits)[Name]['input']>;
export type EditOutput<Name extends EditName> = ReturnType<(typeof edits)[Name]['apply']>;
