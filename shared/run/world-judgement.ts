import type { Head } from '../ledger/head.ts';
import type { Run } from './items.ts';
import { isRemoval } from './report.ts';
import type { ControlWorld } from './world.ts';

/** What the host's present state makes of a run (P6). */
export type Judgement = { readonly is: 'apply' | 'destroy' } | Past;

/** Why a run cannot be applied any more. */
export interface Past {
  readonly is: 'superseded' | 'stale';
  readonly why: string;
  /** For a newer commit that is there, whose own run may not have been planned yet. */
  readonly newer?: true;
}

/**
 * Judges the world, not the event: events come late, twice and out of order. Under the lease the answer holds; before it,
 * it only saves work.
 */
export async function judgeWorld(world: ControlWorld, run: Run): Promise<Judgement> {
  if (run.intent === 'destroy') return { is: 'destroy' };
  if (run.intent !== 'follow') return { is: 'apply' };
  if (run.options.cleanUp) return judgeLeft(world, run);
  if (run.pullRequest === undefined) return judgeTip(world, run);
  const pullRequest = await world.codeHost.pullRequest(run.repository, run.pullRequest);
  if (!pullRequest?.open) return { is: 'destroy' };
  // A webhook says so too, and whoever has its secret can make it say otherwise.
  if (pullRequest.head.fork) return { is: 'superseded', why: `Pull request #${run.pullRequest} comes from a fork: it gets no secret and no apply.` };
  if (pullRequest.head.sha === run.commit) return { is: 'apply' };
  return { is: 'superseded', newer: true, why: `Commit ${pullRequest.head.sha.slice(0, 7)} is the head of pull request #${run.pullRequest} now.` };
}

/**
 * What nobody asked to have removed goes only where the host says in so many words that it was left: a pull request that is closed, a branch
 * that is gone. One it does not know, one that came back, and the default branch keep what they have.
 */
async function judgeLeft(world: ControlWorld, run: Run): Promise<Judgement> {
  const { repository, pullRequest, branch } = run;
  if (pullRequest === undefined) {
    if (branch === repository.defaultBranch) return { is: 'superseded', why: `${branch} is the default branch.` };
    return (await world.codeHost.branchTip(repository, branch)) === undefined ? { is: 'destroy' } : { is: 'superseded', why: `${branch} is there again.` };
  }
  const pull = await world.codeHost.pullRequest(repository, pullRequest);
  if (pull && !pull.open) return { is: 'destroy' };
  return { is: 'superseded', why: pull ? `Pull request #${pullRequest} is open.` : `The host has no pull request #${pullRequest}.` };
}

/** A push whose commit is not the branch's tip has been overtaken; a branch that is gone has no tip. */
async function judgeTip(world: ControlWorld, run: Run): Promise<Judgement> {
  const tip = await world.codeHost.branchTip(run.repository, run.branch);
  if (tip === run.commit) return { is: 'apply' };
  if (tip === undefined) return { is: 'superseded', why: `${run.branch} is gone.` };
  return { is: 'superseded', newer: true, why: `Commit ${tip.slice(0, 7)} is the tip of ${run.branch} now.` };
}

/** Whether the world has gone past a run that is asked about, or is to be: where it would be a destroy by now, it is another run's. */
export async function judgeAskedWorld(world: ControlWorld, run: Run, head: Head | undefined): Promise<Past | undefined> {
  const judged = await judgeWorld(world, run);
  if (judged.is === 'superseded' || judged.is === 'stale') return judged;
  // What is to be removed is there, whatever was applied since: a state that moved is the guard's to see.
  if (isRemoval(run.kind)) return judged.is === 'apply' && run.intent === 'follow' ? { is: 'superseded', why: 'Its pull request is open again.' } : undefined;
  if (judged.is === 'destroy') return { is: 'superseded', why: 'Its pull request is closed.' };
  return judgeHead(world, run, head);
}

/** What was applied or removed in the scope since. Without a head nothing was. Under the lease the answer holds, as above. */
export async function judgeHead(world: ControlWorld, run: Run, head: Head | undefined): Promise<Past | undefined> {
  if (!head) return undefined;
  for (const judge of [judgeAge, judgeTombstone]) {
    const answer = await judge(world, run, head);
    if (answer.is === 'superseded' || answer.is === 'stale') return answer;
  }
  return undefined;
}

/**
 * A run of an arbitrary commit changes nothing when the commit lies behind the last one applied here (R1.45). The head of an
 * open pull request is never stale: what it was reset to is what its author wants.
 */
export async function judgeAge(world: ControlWorld, run: Run, head: Head): Promise<Judgement> {
  if (run.intent === 'follow') return { is: 'apply' };
  const last = head.history.at(-1)?.sha;
  if (last === undefined || last === run.commit) return { is: 'apply' };
  const why = `Commit ${last.slice(0, 7)} was applied here, and ${run.commit.slice(0, 7)} is older.`;
  if (head.history.some((applied) => applied.sha === run.commit)) return { is: 'stale', why };
  return (await world.codeHost.ancestry(run.repository, run.commit, last)) === 'behind' ? { is: 'stale', why } : { is: 'apply' };
}

/**
 * A destroyed scope stays so for everything but what is present: the head of an open pull request, or the tip of a branch
 * (P5). A branch that the host does not know tells nothing.
 */
export async function judgeTombstone(world: ControlWorld, run: Run, head: Head): Promise<Judgement> {
  if (!head.tombstone || run.intent === 'follow') return { is: 'apply' };
  const tip = await world.codeHost.branchTip(run.repository, run.branch);
  if (tip === undefined || tip === run.commit) return { is: 'apply' };
  return { is: 'superseded', why: `This scope was destroyed at ${head.tombstone.at}, and ${run.commit.slice(0, 7)} is not the tip of ${run.branch}.` };
}
