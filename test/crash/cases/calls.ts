/** At which call a worker of a case stands. */
import type { Call } from '../gate.ts';

type Match = (call: Call) => boolean;

/** A write of the item with this sort key, in which this text stands. */
export const writes =
  (sk: string, text = ''): Match =>
  ({ port, method, about }) =>
    port === 'table' && method === 'write' && about.includes(`"sk":"${sk}"`) && about.includes(text);

/** The write of a line's result. */
export const writesResult = (line: string): Match => writes(`LINE#${line}`, '"set":{"result"');

/** The write that takes a line's open work away, in whatever round and phase. */
export const deletesOpenWork =
  (line: string): Match =>
  ({ port, about }) =>
    port === 'table' && /"sk":"OPEN#[^"]*"/.exec(about)?.[0].endsWith(`#${line}"`) === true && about.includes('"delete":true');

/** A request that creates the thing. */
export const posts =
  (name: string): Match =>
  ({ port, about }) =>
    port === 'provider' && about.includes('"method":"POST"') && about.includes(`"name":"${name}"`);

/** A request that deletes anything. */
export const deletes: Match = ({ port, about }) => port === 'provider' && about.includes('"method":"DELETE"');
