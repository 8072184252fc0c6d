/**
 * Explores a model breadth first: every state that is reachable, each once. What may never be is looked for in every state and along every move;
 * and from every state there has to be a way to the end on which nothing more goes wrong.
 */
export interface Move<S> {
  readonly says: string;
  readonly to: S;
  /** Something went wrong: nobody may have to wait for it. */
  readonly fault?: true;
}

export interface Model<S> {
  readonly begins: S;
  moves(state: S): readonly Move<S>[];
  /** The same state without what nothing depends on any more. */
  plain(state: S): S;
  /** Names the invariant that a state breaks. */
  broken(state: S): string | undefined;
  /** Everything has come to its end. */
  isOver(state: S): boolean;
}

export interface Checked {
  readonly states: number;
  readonly moves: number;
  /** Moves on the longest of the shortest ways. */
  readonly depth: number;
  /** The first thing found, with the shortest way to it. */
  readonly found?: { readonly breaks: string; readonly way: readonly string[] };
}

export const noWayOut = 'I11: every way ends';

export function check<S>(model: Model<S>, most = 3_000_000): Checked {
  const known = new Map<string, number>();
  const texts: string[] = [];
  const from: number[] = [];
  const said: string[] = [];
  const depths: number[] = [];
  const edges: number[] = [];
  let moves = 0;

  const wayTo = (at: number): string[] => {
    const way: string[] = [];
    for (let one = at; one > 0; one = from[one] as number) way.unshift(said[one] as string);
    return way;
  };
  const done = (breaks?: string, at = 0): Checked => {
    const seen = { states: texts.length, moves, depth: depths.at(-1) ?? 0 };
    return breaks === undefined ? seen : { ...seen, found: { breaks, way: wayTo(at) } };
  };
  const arrive = (state: S, parent: number, says: string): number => {
    const text = JSON.stringify(model.plain(state));
    const there = known.get(text);
    if (there !== undefined) return there;
    known.set(text, texts.length);
    from.push(parent);
    said.push(says);
    depths.push(parent < 0 ? 0 : (depths[parent] as number) + 1);
    return texts.push(text) - 1;
  };

  arrive(model.begins, -1, '');
  const over: number[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const state = JSON.parse(texts[at] as string) as S;
    const breaks = model.broken(state);
    if (breaks !== undefined) return done(breaks, at);
    if (model.isOver(state)) over.push(at);
    for (const { says, to, fault } of model.moves(state)) {
      moves += 1;
      const next = arrive(to, at, says);
      if (!fault) edges.push(next, at);
    }
    if (texts.length > most) throw new Error(`more than ${most} states`);
  }
  const stuck = firstStuck(texts.length, edges, over);
  return stuck === undefined ? done() : done(noWayOut, stuck);
}

/** The first state from which no faultless way leads to the end. `edges`: pairs, to and from. */
function firstStuck(states: number, edges: readonly number[], over: readonly number[]): number | undefined {
  const heads = new Int32Array(states).fill(-1);
  const nexts = new Int32Array(edges.length / 2);
  for (let edge = 0; edge < nexts.length; edge += 1) {
    const to = edges[2 * edge] as number;
    nexts[edge] = heads[to] as number;
    heads[to] = edge;
  }
  const ends = new Uint8Array(states);
  const left = [...over];
  for (const at of over) ends[at] = 1;
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (let edge = heads[at] as number; edge >= 0; edge = nexts[edge] as number) {
      const before = edges[2 * edge + 1] as number;
      if (ends[before]) continue;
      ends[before] = 1;
      left.push(before);
    }
  }
  const stuck = ends.indexOf(0);
  return stuck < 0 ? undefined : stuck;
}
