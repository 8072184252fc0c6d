/** Slack as the fake keeps it: one workspace, one app in it. */
export interface SlackState {
  readonly team: string;
  readonly channels: Channel[];
  /** What was shown to one person alone. */
  readonly whispers: Whisper[];
}

export interface Channel {
  readonly id: string;
  archived: boolean;
  /** Whether the app is in it. */
  joined: boolean;
  /** Ids of the people in it. */
  readonly people: string[];
  readonly messages: Message[];
}

export interface Message {
  readonly ts: string;
  /** Time stamp of the message it stands below. */
  readonly thread?: string;
  text: string;
  blocks: unknown[];
  /** How often it was edited. */
  edits: number;
}

export interface Whisper {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
}

/** A workspace whose one channel holds three people. */
export const demoSlack = (): SlackState => ({
  team: 'T0000ACME',
  channels: [{ id: 'C0RELEASES', archived: false, joined: true, people: ['U00000KIM', 'U0000ROBIN', 'U0000ALEX', 'U0STRANGER'], messages: [] }],
  whispers: [],
});
