import { createRequire } from 'node:module';

type Verdict = { readonly isValid: boolean; errorsText(separator?: string): string };
type Validator = (definition: unknown, options?: { readonly checkPaths?: boolean; readonly checkArn?: boolean }) => Verdict;

/** The package is CommonJS with a function as its export and comes without types. */
const validate = createRequire(import.meta.url)('asl-validator') as Validator;

/** What is wrong with a state machine's definition by the published schema of the States Language, one sentence each. */
export function definitionProblems(definition: string): string[] {
  const { isValid, errorsText } = validate(JSON.parse(definition), { checkPaths: true, checkArn: true });
  return isValid ? [] : errorsText('\n').split('\n');
}
