/** One message of a chat: blocks for whoever looks at it, and a text for notifications and for readers of the screen. */
export interface ChatMessage {
  /** Already in the chat's own markup: whatever somebody else wrote in it is escaped. */
  readonly text: string;
  /** Block Kit. Absent: the text alone. */
  readonly blocks?: readonly ChatBlock[];
}

/** A block as the chat takes it, plain JSON. Its id is what a message is found again by. */
export type ChatBlock = { readonly type: string; readonly block_id?: string } & Readonly<Record<string, unknown>>;

/** Where a message lies, by the chat's own names. Both stay as long as the message does. */
export interface ChatPlace {
  readonly channel: string;
  /** Time stamp, which is the message's name within its channel. */
  readonly ts: string;
}

/**
 * Where teams talk: Slack. It holds no truth. What was decided lies in the table, and a message that is gone or late changes nothing of it.
 *
 * @throws LockkeeperError with a PROVIDER_* code (PROVIDER_AGAIN with `details.at`), or SECRET_UNRESOLVED where no chat is set up.
 */
export interface Chat {
  /** The workspace the credential belongs to. */
  team(): Promise<string>;
  /** Posts a message, below another one where `thread` names it. Not repeatable: it may have happened although it throws. */
  post(channel: string, message: ChatMessage, thread?: string): Promise<ChatPlace>;
  /** Puts other content into a message of ours. Repeatable. */
  update(place: ChatPlace, message: ChatMessage): Promise<void>;
  /** Shows a text to one person alone, who is in the channel; it is kept nowhere. */
  whisper(channel: string, user: string, text: string): Promise<void>;
  /** The message of ours that holds a block of that id, among those of the channel, or below `thread`, that were posted within a time. */
  find(channel: string, blockId: string, within: Within, thread?: string): Promise<ChatPlace | undefined>;
}

/** From one moment to another, epoch ms. */
export interface Within {
  readonly since: number;
  readonly until: number;
}
