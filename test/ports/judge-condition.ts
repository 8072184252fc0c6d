import type { Item } from '../../shared/ports/table.ts';
import type { Condition } from '../../shared/table/condition.ts';

/** Whether a condition holds for the item that is there (undefined: none), judged as DynamoDB judges its expression. */
export function judge(condition: Condition, item: Item | undefined): boolean {
  switch (condition.is) {
    case 'always':
      return true;
    case 'present':
      return item !== undefined;
    case 'absent':
      return item === undefined;
    case 'attributePresent':
      return item?.[condition.attribute] !== undefined;
    case 'attributeAbsent':
      return item?.[condition.attribute] === undefined;
    case 'equal':
      return item?.[condition.attribute] === condition.value;
    case 'atMost':
      return compared(item, condition.attribute, (value) => value <= condition.value);
    case 'below':
      return isBelow(item?.[condition.attribute], condition.value);
    case 'all':
      return condition.of.every((part) => judge(part, item));
    case 'any':
      return condition.of.some((part) => judge(part, item));
  }
}

/** Numbers below numbers, texts below texts; of different types nothing holds, as in DynamoDB. */
const isBelow = (value: unknown, bound: number | string): boolean =>
  (typeof value === 'number' && typeof bound === 'number' && value < bound) || (typeof value === 'string' && typeof bound === 'string' && value < bound);

function compared(item: Item | undefined, attribute: string, holds: (value: number) => boolean): boolean {
  const value = item?.[attribute];
  return typeof value === 'number' && holds(value);
}
