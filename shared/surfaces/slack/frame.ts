/** What every card of a run has at its head and its foot. */
import type { RunReport } from '../../run/report.ts';
import { shortDigest } from '../approval.ts';
import type { CardFacts } from './card.ts';
import { code, link, mrkdwn } from './mrkdwn.ts';

export const nameOf = ({ repository, plan }: RunReport): string => `${repository.owner}/${repository.name}${plan.name === 'main' ? '' : `, plan ${plan.name}`}`;

/** What is released, and for whom: pull request and commit are read where they are linked to. */
export function whose(report: RunReport, { asker, repositoryUrl }: CardFacts): string {
  const { pullRequest, commit } = report;
  const at = (path: string, words: string) => (repositoryUrl === undefined ? words : link(`${repositoryUrl}/${path}`, words));
  const pull = pullRequest === undefined ? '' : `, ${at(`pull/${pullRequest}`, `pull request #${pullRequest}`)}`;
  const of = repositoryUrl === undefined ? code(commit.slice(0, 7)) : at(`commit/${commit}`, commit.slice(0, 7));
  return `${mrkdwn(nameOf(report), 200)}${pull}, commit ${of}${asker === undefined ? '' : `, asked for by ${mrkdwn(asker, 60)}`}`;
}

/** What is typed to find it: twelve digits of the run and of its plan are enough everywhere. */
export function footer(report: RunReport, { checkUrl }: CardFacts): string {
  const plan = report.question ? `Plan ${code(shortDigest(report.question.digest))} · ` : '';
  return `${plan}run ${code(report.run.slice(0, 12))}${checkUrl === undefined ? '' : ` · ${link(checkUrl, 'check run')}`}`;
}

/** What a notification shows; Slack reads mrkdwn there, too. */
export const fallback = (words: string): string => mrkdwn(words, 600);
