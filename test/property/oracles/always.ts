import type { Seen } from '../stage.ts';
import { disagreeing } from './agreement.ts';
import { secretSeen } from './i1-no-secret.ts';
import { leftByFailures } from './i2-rolled-back.ts';
import { writtenByPlans } from './i4-plan-writes-nothing.ts';
import { touchedOfOthers } from './i5-not-ours.ts';
import { brokenReceipts } from './i6-receipts.ts';
import { writtenUnapproved } from './i7-approved.ts';
import { writtenWithoutLease } from './i9-one-writer.ts';
import { unfinished } from './i11-at-rest.ts';
import { wronglyAsked } from './i12-one-question.ts';
import { appliedOverOtherState } from './i12-state-holds.ts';
import { editsOverwritten } from './r0-4-edits.ts';

/** What must hold whenever everything has come to rest, whatever was before. */
export const always: readonly ((stage: Seen) => string[])[] = [
  writtenWithoutLease,
  touchedOfOthers,
  editsOverwritten,
  writtenUnapproved,
  writtenByPlans,
  unfinished,
  disagreeing,
  leftByFailures,
  brokenReceipts,
  wronglyAsked,
  appliedOverOtherState,
  secretSeen,
];
