/** Mutants that another list has, with the test that shows them there. */
import type { Invariant } from '../../crash/judged.ts';
import { variants } from '../../model/variants.ts';
import { gateMutants } from '../gate-mutants.ts';
import type { ProtocolMutant } from './mutant.ts';

/** The one that is so named. @throws Error where there is none. */
export const named = <T extends { readonly name: string }>(all: readonly T[], name: string): T => {
  const one = all.find((other) => other.name === name);
  if (!one) throw new Error(`there is no mutant ${name}`);
  return one;
};

/** One of test/mutants/gate-mutants.ts, of the same name. What is broken then is what its test's title names. */
export function ofGate(name: string, breaks: Invariant): ProtocolMutant {
  const { edits, test } = named(gateMutants, name);
  return { name, edits, breaks, caught: { test, names: test.title } };
}

/** One that the state explorer finds. */
export function ofModel(name: string, breaks: Invariant, there: string): ProtocolMutant {
  const { edits, breaks: says } = named(variants, there);
  return { name, edits, breaks, caught: { test: { file: 'test/model/variants.test.ts', title: `${there}: the model finds it` }, names: says.source } };
}
