import type { Answer, Incoming } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { notFound } from './errors.ts';
import { accountShape } from './people.ts';
import type { Repository } from './state.ts';

const legacy: Readonly<Record<string, string>> = { admin: 'admin', maintain: 'write', write: 'write', triage: 'read', read: 'read', none: 'none' };
/** Names that no account of this GitHub has. */
const nobody = /^nobody(-|$)/;

/** `GET /collaborators/{username}/permission`: what an account may do. A role of an organization's own is worth `write` here. */
export function getPermission(request: Incoming, scene: Scene, repository: Repository): Answer {
  const login = request.params['login'] ?? '';
  if (nobody.test(login)) return notFound();
  const role = repository.people?.[login.toLowerCase()] ?? (repository.private ? 'none' : 'read');
  const permission = legacy[role] ?? 'write';
  const [pull, push] = [permission !== 'none', permission === 'write' || permission === 'admin'];
  const admin = role === 'admin';
  const permissions = { admin, maintain: admin || role === 'maintain', push, triage: push || role === 'triage', pull };
  return { status: 200, body: { permission, role_name: role, user: { ...accountShape(scene.urls.github, login), permissions, role_name: role } } };
}
