/**
 * What an adapter is written with, published as `lockkeeper/adapter`: the contract, the forms of values, errors, and what the adapters here use
 * themselves.
 */
export type {
  AdoptedLine,
  Applied,
  Connection,
  CredentialSpec,
  FieldChange,
  LiveResource,
  Op,
  OpCall,
  OutputSpec,
  Outputs,
  Previous,
  ProviderHttp,
  ProviderRequest,
  Reading,
  Remembered,
  ResourceChange,
} from '../engine/op.ts';
export { fieldHashes, isValue, type Resolved, type ResolvedParams, type Side, sideOf, type Value } from '../engine/value.ts';
export type { Code } from '../errors/codes.ts';
export { LockkeeperError, type Problem } from '../errors/error.ts';
export type { Params, PlanValue, ProviderBlock, ReleaseContext, Scalar } from '../plan/types.ts';
export { scalar, templated, value } from '../plan/value-forms.ts';
export { sha256, stateDigest } from './digest.ts';
export { path } from './http/path.ts';
export { refusedAsExisting } from './http/refused-create.ts';
export { invalid, keyText, known, manyValues, oneValue } from './param.ts';
