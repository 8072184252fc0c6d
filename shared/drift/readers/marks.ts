import type { Masking } from '../masking.ts';
import { isList, isMap, type Json, memberOf } from './json.ts';
import type { Way } from './paths.ts';

/** Gives to the masking what a tool's tree of marks marks in a value: `true` marks the whole of it, a map or a list its parts. */
export function markBy(masking: Pick<Masking, 'mark'>, value: Json | undefined, marks: Json | undefined): void {
  if (marks === true) masking.mark(value);
  else if (isList(marks) && isList(value)) for (const [index, mark] of marks.entries()) markBy(masking, value[index], mark);
  else if (isMap(marks) && isMap(value)) for (const [key, mark] of Object.entries(marks)) markBy(masking, memberOf(value, key), mark);
}

/** Whether a tree of marks marks what lies at this way, or anything in it. */
export const isMarked = (marks: Json | undefined, way: Way): boolean => holdsMark(markAt(marks, way));

/** What a tree of marks says of what lies at this way: `true` where that, or all that it is a part of, is marked as a whole. */
export function markAt(marks: Json | undefined, way: Way): Json | undefined {
  let mark = marks;
  for (const step of way) {
    if (mark === true) return true;
    if (isList(mark)) mark = mark[Number(step)];
    else if (isMap(mark)) mark = memberOf(mark, String(step));
    else return undefined;
  }
  return mark;
}

function holdsMark(mark: Json | undefined): boolean {
  if (isList(mark)) return mark.some(holdsMark);
  return mark === true || (isMap(mark) && Object.values(mark).some(holdsMark));
}
