import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/**
 * One file of a zip archive, which holds it stored or deflated. Its checksum is not looked at: that of the whole archive was.
 *
 * @throws Error where the archive cannot be read, or the file is not in it or larger than `most` bytes.
 */
export function fileInZip(archive: Buffer, name: string, most: number): Buffer {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== END) throw new Error('it is no zip archive');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('its directory is damaged');
    const [nameLength, extra, comment] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30), archive.readUInt16LE(at + 32)];
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) return bytesAt(archive, at, most);
    at += 46 + nameLength + extra + comment;
  }
  throw new Error(`it has no ${name}`);
}

/** Sizes stand in the directory; how far the bytes lie behind the file's own header, in that header. */
function bytesAt(archive: Buffer, entry: number, most: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const [packed, size, header] = [archive.readUInt32LE(entry + 20), archive.readUInt32LE(entry + 24), archive.readUInt32LE(entry + 42)];
  if (size > most) throw new Error('what is in it is too large');
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const bytes = archive.subarray(start, start + packed);
  if (method === 0) return bytes;
  if (method === 8) return inflateRawSync(bytes, { maxOutputLength: most });
  throw new Error(`it is packed in a way (${method}) that is not known here`);
}
