import { LockkeeperError } from '../../errors/error.ts';

/** What Slack gives an app, and Lockkeeper keeps in one secret of its own. */
export interface SlackSecret {
  /** `xoxb-…`: what the app does in the workspace it does with this. */
  readonly botToken: string;
  /** What Slack signs interactions with. */
  readonly signingSecret: string;
}

/**
 * Reads the secret's text.
 *
 * @throws LockkeeperError SECRET_UNRESOLVED, which says nothing of what stands there.
 */
export function slackSecretOf(id: string, text: string): SlackSecret {
  try {
    const { botToken, signingSecret } = JSON.parse(text) as Record<string, unknown>;
    if (typeof botToken === 'string' && botToken.length >= 20 && typeof signingSecret === 'string' && signingSecret.length >= 20)
      return { botToken, signingSecret };
  } catch {
    // Said below: whatever it is, it is not the app's secret.
  }
  throw new LockkeeperError({ code: 'SECRET_UNRESOLVED', message: `The secret ${id} must be JSON: {"botToken": "xoxb-…", "signingSecret": "…"}.` });
}
