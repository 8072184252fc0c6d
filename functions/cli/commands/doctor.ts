import { fileURLToPath } from 'node:url';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { codeHash } from '../../../shared/platform/code-hash.ts';
import type { Answer } from '../answer.ts';
import { awsProbes } from '../doctor/aws-probes.ts';
import { examine } from '../doctor/examine.ts';
import { reportOfFindings } from '../doctor/report.ts';
import type { Invocation } from '../invocation.ts';
import { throughAws } from '../stack/aws-problem.ts';
import type { Surroundings } from '../surroundings.ts';

/** The hash of the functions that lie beside this command: in a package next to it, in a checkout where the build puts them. */
function ownCode(): string | undefined {
  const places = ['../functions', '../../../dist/functions'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.map(codeHash).find((hash) => hash !== undefined);
}

/** Looks at a deployed stack with the caller's credentials. Writes nothing, anywhere. */
export async function doctor(
  { stack }: Pick<Invocation, 'stack'>,
  { environment, redactor }: Pick<Surroundings, 'environment' | 'redactor'>,
  version: string,
): Promise<Answer> {
  if (!stack) throw new LockkeeperError({ code: 'USAGE', message: 'doctor looks at a deployed stack: name it with --stack.' });
  const probes = awsProbes(environment, redactor);
  try {
    return await throughAws(async () => reportOfFindings(stack, await examine(probes, { stack, version, code: ownCode(), now: Date.now() }, redactor.mask)));
  } finally {
    probes.close();
  }
}
