import type { Answer, Incoming, Json } from '../wire/answer.ts';
import { numberOf, objectOf, stringOf } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { vercelError } from './errors.ts';
import { variableShape } from './shapes.ts';
import type { VercelProject, VercelTarget, VercelVariable } from './state.ts';
import { type Refusal, type VariableWish, writeVariable } from './variables.ts';

const targets: readonly string[] = ['production', 'preview', 'development'];
const types: readonly string[] = ['encrypted', 'sensitive', 'plain', 'system'];

export function listVariables(request: Incoming, scene: Scene, project: VercelProject): Answer {
  const { query } = request;
  const { settings } = scene.world.vercel;
  const until = numberOf(query, 'until', Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER);
  const branch = query.get('gitBranch');
  const found = project.variables
    .filter((each) => each.createdAt < until && (branch === null || each.gitBranch === undefined || each.gitBranch === branch))
    .toSorted((a, b) => b.createdAt - a.createdAt);
  const page = found.slice(0, Math.min(settings.pageSize, numberOf(query, 'limit', 1000, 1, 1000)));
  const shown = query.get('decrypt') === 'true' && settings.decryptLists ? 'plain' : 'sealed';
  return {
    status: 200,
    body: {
      envs: page.map((each) => ({ ...variableShape(each, shown), securityIssues: [] })),
      pagination: { count: page.length, next: page.length < found.length ? (page.at(-1)?.createdAt ?? null) : null, prev: page[0]?.createdAt ?? null },
    },
  };
}

export function getVariable(request: Incoming, _scene: Scene, project: VercelProject): Answer {
  const found = find(request, project);
  if (found === undefined) return gone();
  const { value, ...rest } = variableShape(found, 'plain');
  return { status: 200, body: found.type === 'sensitive' ? rest : { ...rest, value } };
}

export function removeVariable(request: Incoming, _scene: Scene, project: VercelProject): Answer {
  const found = find(request, project);
  if (found === undefined) return gone();
  project.variables.splice(project.variables.indexOf(found), 1);
  return { status: 200, body: variableShape(found, 'sealed') };
}

export function changeVariable(request: Incoming, scene: Scene, project: VercelProject): Answer {
  const found = find(request, project);
  if (found === undefined) return gone();
  const given = objectOf(request.body);
  const value = stringOf(given, 'value');
  const type = stringOf(given, 'type') ?? found.type;
  if (given === undefined || !types.includes(type))
    return vercelError(400, 'bad_request', 'Invalid request: `type` should be one of encrypted, sensitive, plain, system');
  if (found.type === 'sensitive' && type !== 'sensitive') return vercelError(400, 'bad_request', 'A sensitive variable cannot be given another type.');
  found.value = value ?? found.value;
  found.type = type as VercelVariable['type'];
  found.updatedAt = scene.moment();
  return { status: 200, body: variableShape(found, 'sealed') };
}

export function createVariables(request: Incoming, scene: Scene, project: VercelProject): Answer {
  const many = Array.isArray(request.body);
  const wanted: unknown[] = many ? (request.body as unknown[]) : [request.body];
  const wishes = wanted.map(wishOf);
  const wrong = wishes.find((wish) => typeof wish === 'string');
  if (wrong !== undefined) return vercelError(400, 'bad_request', `Invalid request: ${wrong}`);
  const created: Json[] = [];
  const failed: Json[] = [];
  for (const wish of wishes as VariableWish[]) {
    const outcome = write(scene, project, wish, request.query.get('upsert') === 'true');
    if ('id' in outcome) created.push(variableShape(outcome, 'sealed'));
    else
      failed.push({
        error: { ...outcome, key: wish.key, envVarKey: wish.key, target: wish.target, ...(wish.gitBranch === undefined ? {} : { gitBranch: wish.gitBranch }) },
      });
  }
  const [first] = failed;
  if (!many && first !== undefined) return { status: 400, body: first };
  return { status: 201, body: { created: many ? created : created[0], failed } };
}

function write(scene: Scene, project: VercelProject, wish: VariableWish, upsert: boolean): VercelVariable | Refusal {
  const refused = scene.world.vercel.settings.refuseKeys.includes(wish.key);
  if (refused) return { code: 'INVALID_ENV_KEY', message: `The name ${wish.key} is not accepted.` };
  return writeVariable(scene, project, wish, upsert);
}

/** The wish in one object of the body, or what is wrong with it. */
function wishOf(value: unknown): VariableWish | string {
  const given = objectOf(value);
  if (given === undefined) return 'should be object';
  const key = stringOf(given, 'key');
  const text = stringOf(given, 'value');
  const type = stringOf(given, 'type');
  const target = typeof given['target'] === 'string' ? [given['target']] : given['target'];
  const gitBranch = stringOf(given, 'gitBranch');
  if (key === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return '`key` should be a name of letters, digits and underscores';
  if (text === undefined) return '`value` should be string';
  if (type === undefined || !types.includes(type)) return '`type` should be one of encrypted, sensitive, plain, system';
  if (!Array.isArray(target) || target.length === 0 || target.some((each) => !targets.includes(String(each)))) {
    return '`target` should be a list of production, preview, development';
  }
  if (gitBranch !== undefined && !(target.length === 1 && target[0] === 'preview')) return '`gitBranch` needs the target preview alone';
  if (type === 'sensitive' && target.includes('development')) return 'a sensitive variable cannot have the target development';
  return { key, value: text, type: type as VercelVariable['type'], target: target as VercelTarget[], gitBranch, comment: stringOf(given, 'comment') };
}

const find = (request: Incoming, project: VercelProject): VercelVariable | undefined =>
  project.variables.find((each) => each.id === request.params['variable']);

const gone = (): Answer => vercelError(404, 'not_found', 'The environment variable was not found.');
