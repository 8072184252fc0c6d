/** What one case is: a plan, what lies at the provider already, and what happens, as plain data that can be kept in a file. */
import { z } from 'zod';

/** A number that points at one of however many things there are then: taken modulo their count. */
const pointer = z.int().min(0);

/** What a plan says of one thing's value. `taken`: under the name of something a stranger made, as that is (`same`) or otherwise. */
const said = z.discriminatedUnion('say', [
  z.strictObject({ say: z.literal('text'), n: pointer }),
  z.strictObject({ say: z.literal('from'), at: pointer, output: z.enum(['id', 'value', 'token', 'url']) }),
  z.strictObject({ say: z.literal('secret'), n: pointer }),
  z.strictObject({ say: z.literal('taken'), n: pointer, same: z.boolean() }),
  z.strictObject({ say: z.literal('keep'), n: pointer }),
]);

/** One line; `needs` points at lines before it. `busy`: how many looks its new things take until they are there. */
const shape = z.strictObject({ things: z.array(said).min(1).max(3), needs: z.array(pointer).max(3), busy: z.int().min(0).max(2) });

const revision = z.discriminatedUnion('edit', [
  z.strictObject({ edit: z.literal('value'), at: pointer, n: pointer }),
  z.strictObject({ edit: z.literal('drop'), at: pointer }),
  z.strictObject({ edit: z.literal('add'), shape }),
  z.strictObject({ edit: z.literal('rename'), at: pointer }),
  z.strictObject({ edit: z.literal('grow'), at: pointer, n: pointer }),
  z.strictObject({ edit: z.literal('shrink'), at: pointer }),
]);

const method = z.enum(['POST', 'PATCH', 'DELETE']);
/** `frozen`: the function stands still, and goes on when it is thawed, whatever has happened meanwhile. */
const fate = z.enum(['before', 'after', 'lost', 'unsent', 'frozen']);

const move = z.discriminatedUnion('do', [
  /** A newer commit, and the event that tells of it. */
  z.strictObject({ do: z.literal('release'), revisions: z.array(revision).max(3) }),
  /** The same commit, told again. */
  z.strictObject({ do: z.literal('again') }),
  z.strictObject({ do: z.literal('plan') }),
  z.strictObject({ do: z.literal('reconcile') }),
  z.strictObject({ do: z.literal('close') }),
  z.strictObject({ do: z.literal('reopen') }),
  z.strictObject({ do: z.literal('answer'), verdict: z.enum(['approve', 'reject']) }),
  /** Messages are delivered, in the order that `picks` says (of those that are visible), some of them twice. */
  z.strictObject({ do: z.literal('deliver'), picks: z.array(pointer).max(40), twice: z.boolean() }),
  z.strictObject({ do: z.literal('quiet') }),
  /** The call of a port that comes after so many (of the table's writes alone, if it says so) meets a fate, while messages are delivered. */
  z.strictObject({ do: z.literal('fate'), after: pointer, fate, of: z.literal('table.write').optional() }),
  z.strictObject({ do: z.literal('thaw') }),
  /** The provider refuses, or does not answer, the next requests of a kind. */
  z.strictObject({ do: z.literal('refuse'), method, times: z.int().min(1).max(4) }),
  z.strictObject({ do: z.literal('silence'), method, effect: z.enum(['done', 'never']), times: z.int().min(1).max(2) }),
  /** Somebody at the provider's console. */
  z.strictObject({ do: z.literal('edit'), at: pointer, n: pointer }),
  z.strictObject({ do: z.literal('remove'), at: pointer }),
  z.strictObject({ do: z.literal('replace'), at: pointer, n: pointer }),
  z.strictObject({ do: z.literal('move'), at: pointer }),
  z.strictObject({ do: z.literal('pass'), seconds: z.int().min(1).max(40) }),
  z.strictObject({ do: z.literal('sweep'), minutes: z.int().min(1).max(120) }),
  z.strictObject({ do: z.literal('deployed'), state: z.enum(['success', 'failure']) }),
  /** The messages of the run at work are held back until another run has taken its lease over. */
  z.strictObject({ do: z.literal('takeover'), after: pointer, revisions: z.array(revision).max(2) }),
  /** Another pull request wants these names, too. */
  z.strictObject({ do: z.literal('other'), wants: z.array(pointer).max(3) }),
  z.strictObject({ do: z.literal('close other') }),
]);

export const story = z.strictObject({
  /** `protected`: pushes to production, which people are asked about. `preview`: a pull request. */
  where: z.enum(['preview', 'protected']),
  /** How many things strangers made before. */
  strangers: z.int().min(0).max(3),
  lines: z.array(shape).min(2).max(30),
  /** The pull request is closed as soon as the faults stop, before anything has come to rest. */
  closedAtOnce: z.boolean(),
  moves: z.array(move).max(40),
});

export type Story = z.infer<typeof story>;
export type Move = z.infer<typeof move>;
export type LineShape = z.infer<typeof shape>;
export type SaidShape = z.infer<typeof said>;
export type Revision = z.infer<typeof revision>;
