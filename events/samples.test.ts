import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandIntake } from './command-intake.ts';
import { controlMessage } from './control-message.ts';
import { checkRunPayload, checkSuitePayload, deploymentStatusPayload, issueCommentPayload, issuesPayload, pullRequestPayload, pushPayload } from './github.ts';
import { intake } from './intake.ts';
import { lineMessage } from './line-message.ts';
import { blockActions } from './slack.ts';
import { slackClick } from './slack-click.ts';

const samples = join(import.meta.dirname, 'samples');
const sample = (name: string): unknown => JSON.parse(readFileSync(join(samples, `${name}.json`), 'utf8'));

const strict = {
  'control-message': controlMessage,
  'control-message-ask': controlMessage,
  'control-message-expired': controlMessage,
  'control-message-look': controlMessage,
  'control-message-dashboard': controlMessage,
  'control-message-tick': controlMessage,
  'control-message-clean-up': controlMessage,
  'control-message-scan': controlMessage,
  'control-message-tool-ended': controlMessage,
  'line-message': lineMessage,
  'intake-pull-request': intake,
  'intake-pull-request-edited': intake,
  'intake-deployment-status': intake,
  'intake-push': intake,
  'intake-issues': intake,
  'intake-check-run': intake,
  'intake-check-run-pressed': intake,
  'intake-comment-answered': intake,
  'intake-comment-wished': intake,
  'intake-check-suite': intake,
  'intake-issue-comment': intake,
  'intake-comment-said': intake,
  'command-intake': commandIntake,
  'command-intake-prune': commandIntake,
  'command-intake-cancel': commandIntake,
  'intake-comment-prune': intake,
  'command-intake-said': commandIntake,
  'command-intake-freeze': commandIntake,
  'command-intake-drift': commandIntake,
  'slack-click': slackClick,
};
const foreign = {
  'github-pull-request': pullRequestPayload,
  'github-pull-request-edited': pullRequestPayload,
  'github-deployment-status': deploymentStatusPayload,
  'github-push': pushPayload,
  'github-check-run': checkRunPayload,
  'github-check-run-pressed': checkRunPayload,
  'github-check-suite': checkSuitePayload,
  'github-issue-comment': issueCommentPayload,
  'github-issues': issuesPayload,
  'slack-block-actions': blockActions,
};

describe('samples of the messages that cross a boundary', () => {
  it.each(Object.entries(strict))('%s parses to itself', (name, schema) => {
    expect(schema.parse(sample(name))).toEqual(sample(name));
  });

  it.each(Object.entries(strict))('%s with a key nobody knows is refused', (name, schema) => {
    expect(schema.safeParse({ ...(sample(name) as object), surprise: 1 }).success).toBe(false);
  });

  it.each(Object.entries(strict))('%s of a newer format is refused', (name, schema) => {
    expect(schema.safeParse({ ...(sample(name) as object), format: 99 }).success).toBe(false);
  });

  it.each(Object.entries(foreign))('%s parses, whatever else its sender adds to it', (name, schema) => {
    expect(schema.safeParse({ ...(sample(name) as object), surprise: 1 }).success).toBe(true);
  });

  it('covers every file of the folder', () => {
    const files = readdirSync(samples).map((file) => file.replace(/\.json$/, ''));
    expect(files.sort()).toEqual([...Object.keys(strict), ...Object.keys(foreign), 'github-ping'].sort());
  });
});
