import { LockkeeperError, problemOf } from '../errors/error.ts';
import { hasDashboard } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { HostIssues, Issue, Repository } from '../ports/code-host.ts';
import { Again } from '../run/again.ts';
import { loadPolicy } from '../run/load-policy.ts';
import { claimMargin } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderDashboard } from '../surfaces/dashboard/dashboard.ts';
import { renderTurnedOff } from '../surfaces/dashboard/turned-off.ts';
import { all, equal, has, present } from '../table/condition.ts';
import { issueKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { findIssue, makeIssue } from './find-issue.ts';
import { gather } from './gather.ts';
import { type IssueItem, issueItemOf } from './issue-item.ts';
import { gatherSeconds, markDashboard } from './mark.ts';
import { markerVersion, versionOf } from './marker.ts';
import { closeTicks, readTicks } from './move-tick.ts';
import { expireNameless } from './nameless.ts';
import { mayWriteAt, written } from './pace.ts';
import { takeTicks } from './take-ticks.ts';
import { tellTickers } from './tell-tickers.ts';
import { isStanding } from './tick.ts';

/**
 * Writes the dashboard's body from what the table knows, where somebody has marked that it shows less.
 *
 *     claim ─▶ read the issue and its history ─▶ take in ticks ─▶ write ─▶ take the mark away, if it is still the one that was there
 *
 * A tick that lands between read and write stands in the history, and the event that tells of it has the next look find it. An answer that
 * was lost shows in the next read: a body that is as it should be is not written.
 *
 * @throws Again while another writer is at work, or the last write was a moment ago.
 */
export async function showDashboard(world: ControlWorld, repositoryId: string): Promise<void> {
  const item = issueItemOf(await world.table.get(issueKey(repositoryId)));
  if (item?.dirty === undefined) return;
  const now = world.clock.now();
  const due = Math.max(mayWriteAt(item, now), item.writing === undefined ? 0 : item.writing + 2 * world.timing.skew);
  if (due > now) throw new Again('the dashboard is being written, or was a moment ago', (due - now) / 1000, 'claimed');
  const claimed = await claim(world, item, now);
  try {
    const shown = await show(world, claimed);
    await finish(world, claimed, item.dirty, shown);
  } catch (error) {
    await free(world, claimed);
    throw error;
  }
}

/**
 * A writer that stood still for longer than its claim must not put an older body over what another one wrote meanwhile.
 *
 * @throws Again when its claim could run out while it writes.
 */
function refuseLate({ clock, timing }: ControlWorld, { writing = 0 }: IssueItem): void {
  if (clock.now() + timing.httpTimeout > writing) throw new Again('a writer of the dashboard is late', 0);
}

/** When a tick without a name is looked for again, seconds. */
const namelessSeconds = 60;

/** What a showing came to. */
type Shown = Partial<Pick<IssueItem, 'number' | 'looked' | 'problem' | 'wroteAt' | 'hour' | 'writes' | 'off'>> & { readonly comeBack?: true };

async function claim(world: ControlWorld, item: IssueItem, now: number): Promise<IssueItem> {
  const writing = now + world.timing.functionTimeout + claimMargin;
  const unmoved = item.version === undefined ? present : equal('version', item.version);
  const result = await write(world, issueKey(item.repository.id), (version) => ({ set: { writing, version } }), all(has('dirty'), unmoved));
  if (!result.won) throw new Again('another writer of the dashboard came first', 1, 'claimed');
  return { ...item, writing, version: result.writeId };
}

async function show(world: ControlWorld, item: IssueItem): Promise<Shown> {
  const { issues } = world.codeHost;
  const repository = await world.codeHost.repository(item.repository);
  if (!issues || repository?.id !== item.repository.id) return {};
  const policy = await policyOrNone(world, repository);
  if (!policy) return {};
  const isOn = hasDashboard(policy);
  if (!isOn && (item.number === undefined || item.off !== undefined)) return {};
  try {
    const finding = { issues, repository, policy: policy.dashboard, known: item.number };
    const issue = isOn ? await findIssue(finding) : await issues.read(repository, item.number as number);
    const off = new Date(world.clock.now()).toISOString();
    if (!isOn && !issue) return { off };
    if (issue && (await isNewer(issues, repository, issue))) {
      world.log.warn('a newer version of Lockkeeper writes the dashboard, which is left alone', { repository: repository.id, issue: issue.number });
      return { number: issue.number };
    }
    const { ticks, looked } =
      isOn && issue
        ? await takeTicks(world, { issues, repository, issue, item })
        : { ticks: issue ? await readTicks(world.table, repository.id) : [], looked: undefined };
    const { ticks: standing, waits } = await expireNameless(world, ticks);
    // What was taken in before it was turned off is answered first; nothing else is taken in.
    const isOver = !isOn && !standing.some(isStanding);
    const body = isOver ? renderTurnedOff({ at: off, branch: repository.defaultBranch }) : renderDashboard(await gather(world, repository, policy, standing));
    refuseLate(world, item);
    const made = issue ? await rewrite(issues, repository, issue, { body, title: policy.dashboard.title }) : await makeIssue(finding, body);
    const number = issue?.number ?? (made as Issue).number;
    await tellTickers(world, { repository, number }, standing);
    await closeTicks(world, standing);
    return {
      number,
      ...(looked === undefined ? {} : { looked }),
      ...(made ? written(item, world.clock.now()) : {}),
      ...(isOver ? { off } : {}),
      ...(waits || (!isOn && !isOver) ? { comeBack: true } : {}),
    };
  } catch (error) {
    return cannotBeShown(world, item, error);
  }
}

/** Undefined: nobody can say what is to be shown. A run of the commit that mends it marks anew. */
async function policyOrNone(world: ControlWorld, repository: Repository): Promise<Policy | undefined> {
  try {
    const policy = await loadPolicy(world, repository);
    return policy;
  } catch (error) {
    const { code } = problemOf(error);
    if (code !== 'POLICY_INVALID') throw error;
    world.log.warn('the dashboard stays as it is: there is a mistake in the policy', { repository: repository.id, code });
  }
  return undefined;
}

/** Whether newer code writes this body. What a person writes into its first line says nothing: the newest state of ours counts. */
async function isNewer(issues: HostIssues, repository: Repository, { number, body }: Issue): Promise<boolean> {
  if (!isNewerBody(body)) return false;
  const edits = await issues.edits(repository, number);
  // Nobody has edited an issue without a history: its body is the one that it was made with.
  return edits.length === 0 || isNewerBody(edits.find((edit) => edit.by?.ours && edit.body !== null)?.body ?? '');
}

const isNewerBody = (body: string): boolean => (versionOf(body) ?? 0) > markerVersion;

/** Writes what differs. An issue that went away meanwhile is made anew by the next look. */
async function rewrite(issues: HostIssues, repository: Repository, issue: Issue, wanted: { readonly body: string; readonly title: string }): Promise<boolean> {
  const change = { ...(issue.body === wanted.body ? {} : { body: wanted.body }), ...(issue.title === wanted.title ? {} : { title: wanted.title }) };
  if (Object.keys(change).length === 0) return false;
  if (await issues.write(repository, issue.number, change)) return true;
  throw new Again(`issue #${issue.number} is gone`, gatherSeconds);
}

/** Issues that are turned off keep nothing else from going on. The next change tries again. */
function cannotBeShown(world: ControlWorld, item: IssueItem, error: unknown): Shown {
  const { code, message } = problemOf(error);
  if (!(error instanceof LockkeeperError) || code !== 'ISSUES_OFF') throw error;
  world.log.warn('the dashboard cannot be shown', { repository: item.repository.id, code, message: world.redactor.mask(message) });
  return { problem: { code, since: item.problem?.since ?? new Date(world.clock.now()).toISOString() } };
}

/**
 * Takes the mark away where nothing was marked meanwhile; else the next write follows. Whose claim was taken over may have written over another's
 * body, or made a second issue: all of it is looked at once more.
 *
 *     we: write ▶ (still) ─────────────────────────▶ arrives ─▶ not ours any more: mark
 *     they:               claim ─▶ write ─▶ finish
 */
async function finish(world: ControlWorld, claimed: IssueItem, mark: string, { comeBack, ...shown }: Shown): Promise<void> {
  const key = issueKey(claimed.repository.id);
  const over = [...(shown.problem ? [] : ['problem']), ...(shown.off === undefined && shown.number !== undefined ? ['off'] : [])];
  const ours = equal('version', claimed.version as string);
  if (!comeBack) {
    const done = await write(
      world,
      key,
      (version) => ({ set: { ...shown, version }, remove: ['writing', 'dirty', 'status', 'since', ...over] }),
      all(equal('dirty', mark), ours),
    );
    if (done.won) return;
  }
  const freed = await write(world, key, (version) => ({ set: { ...shown, version }, remove: ['writing', ...over] }), ours);
  if (!freed.won) return lookAnew(world, claimed);
  await world.queues.control({ format: 5, look: 'dashboard', group: claimed.repository.id }, comeBack ? namelessSeconds : gatherSeconds);
}

async function free(world: ControlWorld, claimed: IssueItem): Promise<void> {
  const freed = await write(world, issueKey(claimed.repository.id), { remove: ['writing'] }, equal('version', claimed.version as string));
  if (!freed.won) await lookAnew(world, claimed);
}

/** Which issue it is, is found anew only where it may have been made twice: one that is known is known without its label, too. */
async function lookAnew(world: ControlWorld, { repository, number }: IssueItem): Promise<void> {
  if (number === undefined) await write(world, issueKey(repository.id), { remove: ['number'] }, present);
  await markDashboard(world, repository);
}
