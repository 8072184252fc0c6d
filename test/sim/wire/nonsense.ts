import type { Answer } from './answer.ts';
import type { Nonsense } from './rule.ts';

/** The answer as a broken proxy or a bad day at the provider would deliver it: status 200, and a body nobody can use. */
export function broken(answer: Answer, kind: Nonsense): Answer {
  const text = answer.raw?.toString('latin1') ?? JSON.stringify(answer.body ?? {});
  switch (kind) {
    case 'html':
      return { status: 200, raw: '<!doctype html><title>Just a moment…</title>', type: 'text/html; charset=utf-8' };
    case 'truncated':
      return { status: 200, raw: text.slice(0, Math.floor(text.length / 2)) };
    case 'empty':
      return { status: 200, raw: '' };
    case 'shape':
      return { status: 200, body: { unexpected: [1, { two: null }] } };
    case 'null':
      return { status: 200, body: null };
  }
}
