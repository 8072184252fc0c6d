import { comparePlans } from '../../../shared/approvals/compare-plans.ts';
import { readDecisions } from '../../../shared/approvals/decision.ts';
import { effectsDigest } from '../../../shared/approvals/plan-document.ts';
import { type AskedPlan, findPlan } from '../../../shared/run/find-plan.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { comparisonText, planText } from '../../../shared/surfaces/plan-text.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Answer } from '../answer.ts';
import type { View } from './view.ts';

/** `show <digest>`: what an approval of that plan binds. @throws LockkeeperError as {@link findPlan} does. */
export async function showPlan({ store, repository, digest = '' }: View): Promise<Answer> {
  const plan = await findPlan(store, repository.id, digest);
  const { document, questions, shown } = plan;
  const became = await whatCameOf(store, plan);
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
    text: ({ paint, columns }) =>
      fitted(
        planText(plan, paint, (run, q) => became.get(`${run}#${q}`)),
        columns,
      ),
  };
}

/** `diff <digest> <digest>`: what the second plan would do otherwise. Differing is no failure. @throws LockkeeperError as {@link findPlan} does. */
export async function diffPlans({ store, repository, digest = '', other = '' }: View): Promise<Answer> {
  const [earlier, later] = await Promise.all([findPlan(store, repository.id, digest), findPlan(store, repository.id, other)]);
  const found = comparePlans(earlier.document, later.document);
  return {
    exit: 0,
    document: { from: namesOf(earlier), to: namesOf(later), ...found },
    text: ({ paint, columns }) => fitted(comparisonText(earlier, later, found, paint), columns),
  };
}

const namesOf = ({ digest, document }: AskedPlan) => ({ digest, effectsDigest: effectsDigest(document) });

const verbs = { approve: 'approved', reject: 'rejected' } as const;

/** Of each question about a plan that is closed: who answered it how, and where its run stands. */
async function whatCameOf({ table }: View['store'], { digest, questions }: AskedPlan): Promise<ReadonlyMap<string, string>> {
  const closed = questions.filter(({ state }) => state === 'closed');
  const told = await Promise.all(
    closed.map(async ({ run: id, q }): Promise<[string, string]> => {
      const [run, decisions] = await Promise.all([readRun(table, id), readDecisions(table, { digest, run: id, q })]);
      const answers = decisions.map(({ verdict, person }) => `${verbs[verdict]} by ${plain(person.name)}`);
      const isLast = run?.question?.q === q;
      const state = run === undefined ? [] : isLast ? [`its run is ${run.outcome ?? run.phase}`] : ['its run asked again'];
      return [`${id}#${q}`, [answers.join(', ') || 'closed', ...state].join('; ')];
    }),
  );
  return new Map(told);
}
