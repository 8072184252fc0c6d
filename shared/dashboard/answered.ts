import { answeredKey } from './box.ts';
import { isStanding, type Tick } from './tick.ts';

/** How often each box was ticked and answered, by {@link answeredKey}: the `no` of the box that is shown now. */
export function answeredIn(ticks: readonly Tick[]): ReadonlyMap<string, number> {
  const answered = new Map<string, number>();
  for (const tick of ticks) {
    if (isStanding(tick) || tick.state === 'withdrawn') continue;
    const key = answeredKey(tick);
    answered.set(key, Math.max(answered.get(key) ?? 0, tick.no + 1));
  }
  // Of two people's ticks of one box one may be answered: it is shown until both are.
  for (const tick of ticks.filter(isStanding)) answered.set(answeredKey(tick), tick.no);
  return answered;
}
