/** Every port call of every story, and each fault that may befall it: ids, and one story told with one of them. */
import { houseTiming } from '../house/house.ts';
import type { Fault } from './gate.ts';
import { nameOf } from './gate.ts';
import { openSimulator } from './simulator.ts';
import { stories } from './stories/stories.ts';
import { ending, type Story, type Where } from './story.ts';
import { type Told, toldOf } from './told.ts';

/** In this order in every list. */
export const faults: readonly Fault[] = ['before', 'after', 'lost', 'unsent', 'twice', 'paused', 'overtaken'];

/** Where somebody else goes on with the work, their clock is as far ahead as it may be, and all before it were as far behind. */
const clocksApart: readonly Fault[] = ['before', 'after', 'paused', 'overtaken'];

/** How far a clock may be off, ms. */
const mostOff = houseTiming.skew;

/** What a provider or a source of secrets does not answer may fail a run, which then says so: somebody releases again. */
const mayFail = (fault: Fault | undefined, call: string | undefined): boolean =>
  (fault === 'lost' || fault === 'unsent') && /^(provider|secrets)\./.test(call ?? '');

/** What befalls a story, and where. */
export interface Befalling {
  /** The call's number in the story, from 0. */
  readonly at: number;
  readonly fault: Fault;
  /** What that call is, `port.method`, where it is known. */
  readonly call?: string;
}

/**
 * Tells a story with one fault at one of its calls, and how it ends; without one where nothing is to befall.
 *
 * @throws Error where the story has no such call: it tells nothing of a fault that it never came to.
 */
export async function tell(story: Story, one?: Befalling): Promise<Told> {
  const simulator = openSimulator(story.world?.());
  let before = 0;
  let after: number | undefined;
  let call: string | undefined;
  const told = await toldOf(
    simulator,
    async () => {
      simulator.guardedByTime = story.guardedByTime ?? (() => false);
      if (one && clocksApart.includes(one.fault)) simulator.skew = () => (call === undefined ? -mostOff : mostOff);
      await story.before?.(simulator);
      before = simulator.trace.length;
      simulator.fate = (next, number) => {
        if (number - before !== one?.at) return undefined;
        call = nameOf(next);
        return one.call === undefined || one.call === call ? one.fault : undefined;
      };
      let by: Where | undefined;
      simulator.meanwhile = async () => {
        by = await story.overtake(simulator);
      };
      await story.play(simulator);
      after = simulator.trace.length;
      simulator.skew = () => 0;
      // There is no such call.
      if (one && (call === undefined || (one.call ?? call) !== call)) return [];
      return ending(simulator, story, { fault: one?.fault, call, mayFail: mayFail(one?.fault, call), overtaken: one?.fault === 'overtaken', by });
    },
    () => one === undefined || simulator.trace.some(({ fault }) => fault !== undefined),
  );
  const trace = told.trace.slice(before, after);
  if (one && call === undefined) throw new Error(`${story.name} has no call ${one.at}: its last one is ${trace.length - 1}`);
  if (one?.call !== undefined && one.call !== call)
    throw new Error(`call ${one.at} of ${story.name} is ${call} by now, and not ${one.call}: --list prints all of them`);
  return { ...told, trace };
}

const idOf = (story: Story, at: number, call: string, fault: Fault): string => `${story.name}/${String(at).padStart(3, '0')}-${call}/${fault}`;

/** The ids of a story's calls, each with each fault, in order. */
export async function idsOf(story: Story): Promise<string[]> {
  const { trace, broken } = await tell(story);
  if (broken.length > 0) throw new Error(`${story.name} is broken although nothing befalls it: ${broken.join('; ')}`);
  return trace.flatMap(({ call }, at) => faults.map((fault) => idOf(story, at, nameOf(call), fault)));
}

function storyNamed(name: string | undefined): Story {
  const story = stories.find((one) => one.name === name);
  if (!story) throw new Error(`there is no story ${name}: there are ${stories.map((one) => one.name).join(', ')}`);
  return story;
}

/** @throws Error that says what is known, where there is no such id: one of a call that the story does not make, or no longer makes there, is none. */
export async function tellId(id: string): Promise<Told> {
  const [, name, number, call, said] = /^([^/]+)\/(\d+)-([^/]+)\/(\w+)$/.exec(id) ?? [];
  const story = storyNamed(name ?? id.split('/')[0]);
  const fault = faults.find((one) => one === said);
  if (!fault || call === undefined || id !== idOf(story, Number(number), call, fault))
    throw new Error(`${id} is no id: one is ${story.name}/017-table.write/lost, of ${faults.join(', ')}, and --list prints all of them`);
  return tell(story, { at: Number(number), call, fault });
}

/** A story with a fault at the nth, from 0, of its calls that are so named, `port.method` and perhaps a text of what is given; with none where no call is named. */
export async function tellNamed(name: string, at?: string, fault?: Fault, nth = 0): Promise<Told> {
  const story = storyNamed(name);
  if (at === undefined || fault === undefined) return tell(story);
  const [called, ...texts] = at.split(' ');
  const { trace } = await tell(story);
  const places = trace.flatMap(({ call }, number) => (nameOf(call) === called && call.about.includes(texts.join(' ')) ? [number] : []));
  const place = places[nth];
  if (place === undefined) throw new Error(`${name} has no call ${at}`);
  return tell(story, { at: place, fault });
}
