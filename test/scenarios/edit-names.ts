import { type EditName, edits } from '../sim/control/edits.ts';

/** What people can do in the fake cloud, by name. */
export const editNames = Object.keys(edits) as [EditName, ...EditName[]];
