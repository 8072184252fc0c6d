/** Bytes of one answer after decompression. The largest list page asked for is far below it. */
export const answerLimit = 8 * 1024 * 1024;

/** The answer is longer than {@link answerLimit}. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * An answer's body as text, read as a stream so that a provider gone mad cannot fill the memory.
 *
 * @throws AnswerTooLarge when more than `limit` bytes come; whatever the connection throws when it breaks.
 */
export async function readBody(response: Response, limit = answerLimit): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new AnswerTooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
