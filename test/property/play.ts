/** A story from its beginning to its end. */
import { end } from './ending.ts';
import { play } from './moves.ts';
import { release, type Stage, setStage } from './stage.ts';
import type { Story } from './story.ts';

/** Plays a story. @throws Broken when a property does not hold. */
export async function tell(story: Story, stage: Stage = setStage(story)): Promise<Stage> {
  await release(stage);
  for (const move of story.moves) await play(stage, move);
  await end(stage);
  return stage;
}
