import { describe, expect, test } from 'vitest';
import { createRoutes } from './routes.ts';

const routes = createRoutes();
routes.addRoute('$default', 'Rest');
routes.addRoute('ANY /files/{path+}', 'Files');
routes.addRoute('GET /runs/{run}', 'Run');
routes.addRoute('GET /runs/latest', 'Latest');
routes.addRoute('POST /hook.json', 'Hook');
routes.addUrl('/_url/Url', 'Url');

describe('a request goes to the most specific route', () => {
  test.each([
    ['POST', '/hook.json', 'Hook'],
    ['POST', '/hookXjson', 'Rest'],
    ['GET', '/hook.json', 'Rest'],
    ['GET', '/runs/latest', 'Latest'],
    ['GET', '/runs/7', 'Run'],
    ['GET', '/runs/7/lines', 'Rest'],
    ['PUT', '/files/a/b', 'Files'],
    ['GET', '/_url/Url/x', 'Url'],
    ['GET', '/_url/UrlOther', 'Rest'],
  ])('%s %s', (method, path, functionId) => {
    expect(routes.match(method, path)?.functionId).toBe(functionId);
  });
});

test('path variables are decoded; a greedy one holds slashes', () => {
  expect(routes.match('GET', '/runs/a%20b')?.pathParameters).toEqual({ run: 'a b' });
  expect(routes.match('GET', '/files/a/b')?.pathParameters).toEqual({ path: 'a/b' });
});

test('a function behind a function URL sees the path below it', () => {
  expect(routes.match('GET', '/_url/Url/hook/x')?.path).toBe('/hook/x');
  expect(routes.match('GET', '/_url/Url')?.path).toBe('/');
});

test('without a $default route an unknown path belongs to nobody', () => {
  expect(createRoutes().match('GET', '/')).toBeUndefined();
});
