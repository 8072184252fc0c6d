import fc from 'fast-check';

/** Text with the pieces that hostile text is made of. */
export const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '@acme/owners',
        '<!--',
        '-->',
        '<img src=x onerror=1>',
        '</details>',
        '`',
        '```',
        '|',
        '\\',
        '\n',
        '\r\n',
        '](',
        '![',
        '#1',
        'GH-7',
        'https://evil.example/',
        'www.evil.example',
        ':tada:',
        '\u202E',
        '\u2028',
        '~~',
        '**',
        '$x$',
        '&lt;',
        '1. ',
        '- ',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
