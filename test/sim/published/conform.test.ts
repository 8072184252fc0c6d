import { describe, expect, it } from 'vitest';
import { departures, description } from './conform.ts';

const clerk = description('clerk');
const one = { object: 'redirect_url', id: 'ru_1', url: 'https://a.example', created_at: 1, updated_at: 1 };
const judge = (body: unknown): string[] => departures(clerk, 'GET /redirect_urls/{id}', 200, body);

describe('an answer held against the published description', () => {
  it('departs nowhere when it has the published form', () => {
    expect(judge(one)).toEqual([]);
  });

  it('departs where a property is missing, of another type, unknown, or of an unknown value', () => {
    const { url: _, ...withoutUrl } = one;
    expect(judge(withoutUrl)).toEqual(['$.url: missing']);
    expect(judge({ ...one, created_at: 'now' })).toEqual(['$.created_at: integer expected, "now" found']);
    expect(judge({ ...one, colour: 'red' })).toEqual(['$.colour: not published']);
    expect(judge({ ...one, object: 'url' })).toEqual(['$.object: "url" is none of redirect_url']);
    expect(judge([one])).toHaveLength(1);
  });

  it('is looked into through references, lists and alternatives', () => {
    expect(departures(clerk, 'GET /redirect_urls', 200, [one, { ...one, id: 7 }])).toEqual(['$[1].id: string expected, 7 found']);
    const created = { created: [{ key: 'A', type: 'odd', value: '' }], failed: [] };
    expect(departures(description('vercel'), 'POST /v10/projects/{idOrName}/env', 201, created)).toHaveLength(1);
  });

  it('cannot be judged for an operation or a status that is not published', () => {
    expect(() => departures(clerk, 'GET /nothing', 200, {})).toThrow('knows no 200 for GET /nothing');
    expect(() => departures(clerk, 'GET /redirect_urls', 418, {})).toThrow('knows no 418');
  });
});
