/** Every port call of every story, and each fault that may befall it: ids, and one story told with one of them. */
import { houseTiming } from '../house/house.ts';
import type { Fault } from './gate.ts';
import { nameOf } from './gate.ts';
import { openSimulator, type Simulator } from './simulator.ts';
import { stories } from './stories/stories.ts';
import { type Befallen, ending, type Story, type Where } from './story.ts';

/** In this order in every list. */
export const faults: readonly Fault[] = ['before', 'after', 'lost', 'unsent', 'twice', 'paused', 'overtaken'];

/** Where somebody else goes on with the work, their clock is as far ahead as it may be, and all before it were as far behind. */
const clocksApart: readonly Fault[] = ['before', 'after', 'paused', 'overtaken'];

/** How far a clock may be off, ms. */
const mostOff = houseTiming.skew;

export interface Told {
  /** What is broken, a sentence each; empty: everything held. */
  readonly broken: readonly string[];
  readonly trace: Simulator['trace'];
  readonly deliveries: number;
}

/** What a provider or a source of secrets does not answer may fail a run, which then says so: somebody releases again. */
const mayFail = (fault: Fault | undefined, call: string | undefined): boolean =>
  (fault === 'lost' || fault === 'unsent') && /^(provider|secrets)\./.test(call ?? '');

/**
 * Tells a story with one fault at one of its calls, and how it ends.
 *
 * @param at the call's number in the story, from 0; undefined: nothing befalls.
 */
export async function tell(story: Story, at?: number, fault?: Fault): Promise<Told> {
  const simulator = openSimulator(story.world?.());
  const apart = fault !== undefined && clocksApart.includes(fault);
  let call: string | undefined;
  try {
    simulator.guardedByTime = story.guardedByTime ?? (() => false);
    if (apart) simulator.skew = () => (call === undefined ? -mostOff : mostOff);
    await story.before?.(simulator);
    const first = simulator.trace.length;
    simulator.fate = (one, number) => {
      if (at === undefined || number - first !== at) return undefined;
      call = nameOf(one);
      return fault;
    };
    let by: Where | undefined;
    simulator.meanwhile = async () => {
      by = await story.overtake(simulator);
    };
    await story.play(simulator);
    simulator.skew = () => 0;
    const befallen: Befallen = { fault, call, mayFail: mayFail(fault, call), by };
    const trace = simulator.trace.slice(first);
    return { broken: await ending(simulator, story, befallen), trace, deliveries: simulator.deliveries };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { broken: [/^I\d+: /.test(said) ? said : `I11: thrown: ${said}`], trace: simulator.trace, deliveries: simulator.deliveries };
  }
}

/** The ids of a story's calls, each with each fault, in order. */
export async function idsOf(story: Story): Promise<string[]> {
  const { trace, broken } = await tell(story);
  if (broken.length > 0) throw new Error(`${story.name} is broken although nothing befalls it: ${broken.join('; ')}`);
  return trace.flatMap(({ call }, at) => faults.map((fault) => `${story.name}/${String(at).padStart(3, '0')}-${nameOf(call)}/${fault}`));
}

/** @throws Error that says what is known, where there is no such id. */
export async function tellId(id: string): Promise<Told> {
  const [name, place = '', fault] = id.split('/');
  const story = stories.find((one) => one.name === name);
  if (!story) throw new Error(`there is no story ${name}: there are ${stories.map((one) => one.name).join(', ')}`);
  const known = faults.find((one) => one === fault);
  const at = Number(/^(\d+)-/.exec(place)?.[1] ?? Number.NaN);
  if (!known || Number.isNaN(at)) throw new Error(`${id} is no id: one is ${name}/017-table.write/lost, and --list prints all of them`);
  return tell(story, at, known);
}

/** A story with a fault at the nth, from 0, of its calls that are so named, `port.method` and perhaps a text of what is given; with none where no call is named. */
export async function tellNamed(name: string, at?: string, fault?: Fault, nth = 0): Promise<Told> {
  const story = stories.find((one) => one.name === name);
  if (!story) throw new Error(`there is no story ${name}`);
  if (at === undefined) return tell(story);
  const [called, ...texts] = at.split(' ');
  const { trace } = await tell(story);
  const places = trace.flatMap(({ call }, number) => (nameOf(call) === called && call.about.includes(texts.join(' ')) ? [number] : []));
  const place = places[nth];
  if (place === undefined) throw new Error(`${name} has no call ${at}`);
  return tell(story, place, fault);
}
