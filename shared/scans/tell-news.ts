import { issueItemOf } from '../dashboard/issue-item.ts';
import { problemOf } from '../errors/error.ts';
import type { Run } from '../run/items.ts';
import { blockIdOf, postOnce } from '../run/post-once.ts';
import { attempt } from '../run/shown.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderDriftNotice, slackDriftNotice } from '../surfaces/drift-notice.ts';
import { issueKey } from '../table/keys.ts';
import type { Findings, LineFinding } from './findings.ts';

const purpose = 'drift';

/**
 * Tells what a scan found anew, once: an event on the bus under the scan's id, and one message to people, in the channel that policy names, else
 * below the dashboard. Whoever takes the event twice knows it by its id.
 *
 * @returns whether it got anywhere. What did not is news to the next scan, too.
 */
export async function tellNews(world: ControlWorld, run: Run, findings: Findings, news: readonly LineFinding[]): Promise<boolean> {
  const heard = await announce(world, run, findings, news);
  const people = await tellPeople(world, run, findings, news);
  return people ?? heard;
}

async function announce(
  world: ControlWorld,
  run: Run,
  { repository, plan, environment, scope, commit }: Findings,
  news: readonly LineFinding[],
): Promise<boolean> {
  const { id, owner, name } = repository;
  const lines = news.map((line) => ({
    line: line.id,
    resources: line.resources
      .filter(({ fingerprint }) => fingerprint !== undefined && line.news?.includes(fingerprint))
      .map(({ key, label, drifted, fingerprint }) => ({ key, label, drifted, fingerprint })),
  }));
  try {
    await world.bus.announce('drift.found', { id: run.id, run: run.id, repository: { id, owner, name }, plan, environment, scope, commit, lines });
    return true;
  } catch (error) {
    world.log.warn('new drift was not announced', { run: run.id, code: problemOf(error).code });
    return false;
  }
}

/** Undefined: there is no place where people could be told. */
async function tellPeople(world: ControlWorld, run: Run, findings: Findings, news: readonly LineFinding[]): Promise<boolean | undefined> {
  const { chat } = world;
  const channel = run.slack?.channel;
  let told = false;
  if (chat && channel !== undefined) {
    await attempt(world, run, async () => {
      await postOnce(world, chat, run, purpose, channel, slackDriftNotice(blockIdOf(run, purpose), findings, news, world.stackName));
      told = true;
    });
    return told;
  }
  const issue = issueItemOf(await world.table.get(issueKey(run.repository.id)))?.number;
  if (issue === undefined || !world.codeHost.surfaces) return undefined;
  await attempt(world, run, async () => {
    const { marker, body } = renderDriftNotice(findings, news, world.stackName);
    await world.codeHost.surfaces?.upsertComment(run.repository, issue, marker, body);
    told = true;
  });
  return told;
}
