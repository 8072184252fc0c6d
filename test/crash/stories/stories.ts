import type { Story } from '../story.ts';
import { approval } from './approval.ts';
import { cancel } from './cancel.ts';
import { parents } from './parents.ts';
import { redeploy } from './redeploy.ts';
import { again, destroy, firstApply, renewal, rollback, takeover, update } from './releases.ts';
import { stack, stackDestroy, stackUpdate } from './stack.ts';
import { plan, taken } from './strangers.ts';
import { succession } from './succession.ts';
import { upgrade } from './upgrade.ts';
import { waiting } from './waiting.ts';

/** The canonical stories. */
export const stories: readonly Story[] = [
  firstApply,
  update,
  again,
  rollback,
  destroy,
  takeover,
  approval,
  waiting,
  succession,
  renewal,
  plan,
  taken,
  stack,
  stackUpdate,
  stackDestroy,
  cancel,
  parents,
  redeploy,
  upgrade,
];
