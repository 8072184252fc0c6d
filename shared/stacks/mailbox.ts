/**
 * The objects through which a tool job and the worker of its line speak (P9). Each is put once, if absent:
 *
 *     job     hello    I am the one process of this token; my key is …        ┐ whoever ends the job puts "closed" in the place
 *     worker  input    what to do, sealed to that key                         ┘ of either: then no process ever gets its work
 *     worker  cancel   end your tool
 *     job     result   what became of it, sealed to the worker
 *
 * So the two are decided once and for all, whatever comes late: a start that arrives after the job was ended finds `hello` taken, and a worker
 * that stood still finds `input` taken. Only a job whose `input` is there has to be stopped and waited for.
 */
import { createHash, createHmac, createPrivateKey, createPublicKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { ToolPurpose } from '../ports/tool-runner.ts';
import type { SealingKey } from '../secrets/keys.ts';

export type Letter = 'hello' | 'input' | 'cancel' | 'result';

/** Where the letters of one job lie; a job's role reaches those of its purpose alone. */
export interface Mailbox {
  readonly purpose: ToolPurpose;
  readonly token: string;
}

export const letterKey = ({ purpose, token }: Mailbox, letter: Letter): string => `tools/${purpose}/${token}/${letter}`;

const format = z.literal(1);
const closed = z.strictObject({ format, closed: z.literal(true) });

/** `job`: the runner's id of the process, by which it is stopped. */
export const hello = z.union([closed, z.strictObject({ format, key: z.string(), job: z.string() })]);
export const input = z.union([closed, z.strictObject({ format, key: z.string(), sealed: z.string() })]);
export const cancel = z.strictObject({ format, at: z.number() });
export const result = z.strictObject({ format, sealed: z.string() });

export const closedLetter = JSON.stringify({ format: 1, closed: true } satisfies z.infer<typeof closed>);

/** Public keys as text: the 32 bytes of X25519, base64url. */
export type PublicKey = string;

// What stands before the 32 bytes of a key in DER (RFC 8410).
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex');

/** The private key of one end, made of 32 bytes that nobody else has. */
export const privateKeyOf = (seed: Uint8Array): KeyObject => createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });

export const publicKeyOf = (key: KeyObject): PublicKey =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length).toString('base64url');

/**
 * The worker's key for one mailbox, made of the stack's own: any later worker of the line opens what an earlier one asked for, and nothing about it
 * is stored.
 */
export const workerKey = (sealing: SealingKey, token: string): KeyObject =>
  privateKeyOf(createHmac('sha256', sealing.key).update(`lockkeeper key of a mailbox\n${token}`).digest());

/** Under which key a letter of this mailbox is sealed: both ends come to the same, each with its own private key and the other's public one. */
export function letterSeal(box: Mailbox, letter: 'input' | 'result', own: KeyObject, other: PublicKey, nonce: () => Uint8Array): SealingKey {
  const publicKey = createPublicKey({ key: Buffer.concat([publicPrefix, Buffer.from(other, 'base64url')]), format: 'der', type: 'spki' });
  const agreed = diffieHellman({ privateKey: own, publicKey });
  const ends = [publicKeyOf(own), other].sort().join('\n');
  const key = new Uint8Array(hkdfSync('sha256', agreed, box.token, `lockkeeper mailbox, ${letterKey(box, letter)}\n${ends}`, 32));
  return { id: createHash('sha256').update(`lockkeeper mailbox key id\n${ends}`).digest('hex').slice(0, 8), key, nonce };
}
