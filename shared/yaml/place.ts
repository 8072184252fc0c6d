import type { Position } from '../errors/error.ts';

/** A way through a file: keys and list places, as in `['changes', 3, 'values', 'DATABASE_URL']`. */
export type Path = readonly (string | number)[];

/**
 * Where the value (or the key) at a path stands in the file. Where nothing stands there, the nearest thing around it answers.
 * Aliases and merged keys answer with the place that spells them out.
 */
export type PositionOf = (path: Path, of?: 'key' | 'value') => Position;
