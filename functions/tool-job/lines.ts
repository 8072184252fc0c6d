const longest = 1024 * 1024;

/** Cuts what comes in pieces into lines. A line that is longer than 1 MiB is left out, so that memory stays bounded whatever is written. */
export function openLines(take: (line: string) => void): { take(chunk: Buffer): void; end(): void } {
  let parts: Buffer[] = [];
  let size = 0;

  function add(part: Buffer): void {
    size += part.length;
    if (size <= longest) parts.push(part);
    else parts = [];
  }

  function flush(): void {
    if (size > 0 && size <= longest) take(Buffer.concat(parts).toString('utf8'));
    parts = [];
    size = 0;
  }

  return {
    take(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        add(chunk.subarray(start, end));
        flush();
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
    end: flush,
  };
}
