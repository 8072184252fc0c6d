import type { Answer, Incoming } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { notFound } from './errors.ts';
import type { Team } from './state.ts';

/** `GET /orgs/{org}/teams/{team_slug}/memberships/{username}`: whether an account is in a team or one below it. */
export function getMembership(request: Incoming, scene: Scene): Answer {
  const [organization = '', slug = '', login = ''] = ['org', 'team', 'login'].map((name) => request.params[name]?.toLowerCase());
  const teams = (scene.world.github.teams ?? []).filter((team) => team.organization.toLowerCase() === organization);
  const team = teams.find((one) => one.slug === slug);
  const states = team === undefined ? [] : withThoseBelow(team, teams).flatMap(({ members }) => members[login] ?? []);
  if (team === undefined || states.length === 0) return notFound();
  const url = `${scene.urls.github}/orgs/${team.organization}/teams/${team.slug}/memberships/${login}`;
  return { status: 200, body: { url, role: 'member', state: states.includes('active') ? 'active' : 'pending' } };
}

const withThoseBelow = (team: Team, all: readonly Team[]): Team[] => [
  team,
  ...all.filter(({ parent }) => parent === team.slug).flatMap((below) => withThoseBelow(below, all)),
];
