import { comparePlans } from '../../../shared/approvals/compare-plans.ts';
import { effectsDigest } from '../../../shared/approvals/plan-document.ts';
import { type AskedPlan, findPlan } from '../../../shared/run/find-plan.ts';
import { comparisonText, planText } from '../../../shared/surfaces/plan-text.ts';
import type { Answer } from '../answer.ts';
import type { View } from './view.ts';

/** `show <digest>`: what an approval of that plan binds. @throws LockkeeperError as {@link findPlan} does. */
export async function showPlan({ store, repository, digest = '' }: View): Promise<Answer> {
  const plan = await findPlan(store, repository.id, digest);
  const { document, questions, shown } = plan;
  return {
    exit: 0,
    document: {
      ...namesOf(plan),
      environment: document.environment,
      scope: document.scope,
      plan: document,
      questions: questions.map(({ run, q, state, askedAt, expiresAt }) => ({ run, q, state, askedAt, expiresAt: new Date(expiresAt).toISOString() })),
      changes: shown ? shown.lines.map(({ id, changes }) => ({ line: id, changes })) : null,
    },
    text: ({ paint }) => planText(plan, paint),
  };
}

/** `diff <digest> <digest>`: what the second plan would do otherwise. Differing is no failure. @throws LockkeeperError as {@link findPlan} does. */
export async function diffPlans({ store, repository, digest = '', other = '' }: View): Promise<Answer> {
  const [earlier, later] = await Promise.all([findPlan(store, repository.id, digest), findPlan(store, repository.id, other)]);
  const found = comparePlans(earlier.document, later.document);
  return {
    exit: 0,
    document: { from: namesOf(earlier), to: namesOf(later), ...found },
    text: ({ paint }) => comparisonText(earlier, later, found, paint),
  };
}

const namesOf = ({ digest, document }: AskedPlan) => ({ digest, effectsDigest: effectsDigest(document) });
