import type { Page } from './page.ts';
import type { StoryWorld } from './world.ts';

export interface Chapter {
  readonly name: string;
  readonly title: string;
  /** Chapters whose end it begins with. */
  readonly after: readonly string[];
  /** Why it cannot be told on this machine; undefined: it can. Absent: it always can. */
  needs?(): Promise<string | undefined>;
  /** Plays it and judges its end. @throws StoryFailed */
  tell(world: StoryWorld, page: Page): Promise<void>;
}
