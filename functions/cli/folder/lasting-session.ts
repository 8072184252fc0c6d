import { openSession, type Session, type SessionOptions } from './session.ts';

/** A session that goes on when the command it is attached to ends before it: this command then takes the folder over. */
export interface LastingSession {
  current(): Session;
  /** After something failed: whether the holder was gone and another session is open now. */
  recover(): Promise<boolean>;
  close(): Promise<void>;
  abandon(): Promise<void>;
}

export async function openLasting(options: SessionOptions): Promise<LastingSession> {
  let session = await openSession(options);
  return {
    current: () => session,
    async recover() {
      if (session.holds) return false;
      await session.abandon();
      options.note('The command that ran the stack of this folder has ended: this one takes it over.');
      session = await openSession(options);
      return true;
    },
    close: () => session.close(),
    abandon: () => session.abandon(),
  };
}
