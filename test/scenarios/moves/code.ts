/** What people do on GitHub, and what GitHub tells of it. */
import { z } from 'zod';
import { demo } from '../../sim/seed.ts';
import { move } from '../move.ts';
import { filesOf, type Outcome, pullOf, type Stage, tell } from '../stage.ts';

const yes = z.literal(true);
const pressing = z.strictObject({ verb: z.enum(['approve', 'reject', 'reconcile']), first: yes.optional(), of: z.int().optional() });
const sender = (as: string | undefined) => (as === undefined ? {} : { sender: as });

const repositoryOf = ({ house }: Stage) => {
  const [repository] = house.sim.state().github.repositories;
  if (!repository) throw new Error('the fake GitHub has no repository');
  return repository;
};

export const code = {
  /** A branch with the plan, and its pull request. */
  open: move(z.union([z.string(), z.strictObject({ branch: z.string(), fork: yes.optional() })]), async (stage, input, step) => {
    const { branch, fork } = typeof input === 'string' ? { branch: input, fork: undefined } : input;
    const { control } = stage.house.sim;
    const files = filesOf(stage, step);
    const outside = { owner: 'stranger', name: demo.repository };
    const pushed = fork ? control.edit('github.forkPush', { branch, fork: outside, files }) : control.edit('github.push', { branch, files });
    const { number } = control.edit('github.open', fork ? { branch, fork: outside, sha: pushed.sha } : { branch });
    stage.on = branch;
    stage.commits.push(pushed.sha);
    stage.pulls.set(branch, { number, branch, sha: pushed.sha });
    return tell(stage, step, control.webhook('pull_request.opened', { number, ...sender(step.as) }));
  }),
  /** A further commit on the pull request. */
  push: move(yes, async (stage, _input, step) => {
    const { control } = stage.house.sim;
    const pull = pullOf(stage);
    const { sha } = control.edit('github.push', { branch: pull.branch, files: filesOf(stage, step) });
    stage.commits.push(sha);
    stage.pulls.set(pull.branch, { ...pull, sha });
    return tell(stage, step, control.webhook('pull_request.synchronize', { number: pull.number, before: pull.sha, ...sender(step.as) }));
  }),
  close: move(yes, async (stage, _input, step) => {
    const { control } = stage.house.sim;
    const { number } = pullOf(stage);
    control.edit('github.close', { number });
    return tell(stage, step, control.webhook('pull_request.closed', { number, ...sender(step.as) }));
  }),
  reopen: move(yes, async (stage, _input, step) => {
    const { control } = stage.house.sim;
    const { number } = pullOf(stage);
    control.edit('github.reopen', { number });
    return tell(stage, step, control.webhook('pull_request.reopened', { number, ...sender(step.as) }));
  }),
  /** Squashes the pull request into the default branch: GitHub tells of its end, and of the push. */
  merge: move(yes, async (stage, _input, step) => {
    const { control } = stage.house.sim;
    const { number } = pullOf(stage);
    const { sha, before = '' } = control.edit('github.merge', { number });
    await tell(stage, step, control.webhook('pull_request.closed', { number, ...sender(step.as) }));
    stage.on = 'main';
    stage.commits.push(sha);
    stage.pulls.set('main', { number: 0, branch: 'main', sha });
    return tell(stage, step, control.webhook('push', { before, ...sender(step.as) }));
  }),
  /** A commit on the default branch. */
  main: move(yes, async (stage, _input, step) => {
    const { control } = stage.house.sim;
    const { sha, before = '' } = control.edit('github.push', { branch: 'main', files: filesOf(stage, step) });
    stage.on = 'main';
    stage.commits.push(sha);
    stage.pulls.set('main', { number: 0, branch: 'main', sha });
    return tell(stage, step, control.webhook('push', { before, ...sender(step.as) }));
  }),
  /** `lockkeeper.yaml` on the default branch says this from now on; GitHub tells of the push. */
  policy: move(z.union([z.string(), z.record(z.string(), z.unknown())]), async (stage, input, step) => {
    const { control } = stage.house.sim;
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    control.edit('github.push', { branch: 'main', files: { 'lockkeeper.yaml': text === 'none' ? null : text } });
    return step.unheard ? {} : quietly(stage);
  }),
  /** On the pull request at hand, or the newest merged one; `$digest` is the beginning of the newest question's digest. */
  comment: move(z.string(), async (stage, body, step) => {
    const asking = stage.house.runs().findLast((run) => run.question !== undefined);
    const number = pullOf(stage).number || (repositoryOf(stage).pulls.findLast(({ merged }) => merged)?.number ?? 0);
    const written = body.replace('$digest', asking?.question?.digest.slice(0, 12) ?? '').replace('$run', stage.house.runs().at(-1)?.id.slice(0, 12) ?? '');
    return tell(stage, step, stage.house.sim.control.webhook('issue_comment.created', { number, body: written, ...sender(step.as) }));
  }),
  /**
   * A button of a check of ours at the commit at hand: `approve`, `reject`, `reconcile`; `first` is the one that the check showed first, on a
   * page that nobody has loaded anew since. `of`: the check of that number, oldest first.
   */
  press: move(z.union([z.enum(['approve', 'reject', 'reconcile']), pressing]), async (stage, input, step) => {
    const { verb, first, of } = typeof input === 'string' ? { verb: input, first: undefined, of: undefined } : input;
    const { sha } = pullOf(stage);
    const all = repositoryOf(stage).checks;
    const check = of === undefined ? all.findLast((one) => one.sha === sha) : all[of - 1];
    const shown = first ? stage.buttons.get(check?.id ?? 0) : check?.actions;
    const button = shown?.find(({ label }) => label.toLowerCase() === verb);
    if (!check || !button) throw new Error(`no check shows the button ${verb}`);
    return tell(
      stage,
      step,
      stage.house.sim.control.webhook('check_run.requested_action', { id: check.id, identifier: button.identifier, ...sender(step.as) }),
    );
  }),
  /** "Re-run" on the newest check, or on all checks of the commit. */
  rerun: move(z.enum(['check', 'suite']), async (stage, which, step) => {
    const { control } = stage.house.sim;
    const { sha } = pullOf(stage);
    const check = repositoryOf(stage).checks.findLast((one) => one.sha === sha);
    const hook =
      which === 'suite'
        ? control.webhook('check_suite.rerequested', { sha, ...sender(step.as) })
        : control.webhook('check_run.rerequested', { id: check?.id ?? 0, ...sender(step.as) });
    return tell(stage, step, hook);
  }),
  /** Vercel's build of the head ends, and GitHub tells of the deployment. */
  deployment: move(z.enum(['READY', 'ERROR', 'CANCELED']), async (stage, state, step) => {
    const { control } = stage.house.sim;
    const { sha } = pullOf(stage);
    control.edit('vercel.finish', { sha, state });
    const told = state === 'READY' ? ('success' as const) : ('failure' as const);
    const environment = stage.on === 'main' ? 'Production' : 'Preview';
    return tell(stage, step, control.webhook('deployment_status', { sha, state: told, environment }));
  }),
  /** The last webhook comes once more. */
  redeliver: move(yes, async (stage, _input, step) => {
    if (!stage.last) throw new Error('no webhook has been sent yet');
    return tell(stage, step, stage.last.hook, stage.last.delivery);
  }),
} as const;

async function quietly(stage: Stage): Promise<Outcome> {
  await stage.house.quiet();
  return {};
}
