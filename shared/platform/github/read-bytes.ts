/** Larger answers are not read: a plan file has 4 MiB at most, and no list page comes near this. */
export const LONGEST_ANSWER_BYTES = 16 * 1024 * 1024;

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * All bytes of a response's body.
 *
 * @param most bytes; 16 MiB where absent.
 * @throws AnswerTooLarge beyond that; whatever the connection throws when it breaks off.
 */
export async function readBytes(body: unknown, most = LONGEST_ANSWER_BYTES): Promise<Uint8Array> {
  if (!(body instanceof ReadableStream)) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    length += chunk.byteLength;
    if (length > most) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
