import { randomUUID } from 'node:crypto';
import type { Bus } from '../events/bus.ts';
import type { LocalLog } from '../log.ts';
import { arn } from '../template/place.ts';
import type { BuildProcess, BuildProgram } from './build-process.ts';

/** What a project of the template says of its builds. */
export interface BuildProject {
  readonly name: string;
  /** What its builds run, by the name in the project's metadata. */
  readonly entry: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMinutes: number;
}

export type BuildStatus = 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED' | 'STOPPED' | 'TIMED_OUT';

export interface Build {
  /** `<project>:<uuid>`. */
  readonly id: string;
  readonly project: string;
  readonly status: BuildStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface BuildStart {
  readonly project: string;
  readonly token?: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMinutes?: number;
}

/** Builds of CodeBuild, each a process on this machine. A new start knows none of an earlier one's. */
export interface Builds {
  add(project: BuildProject): void;
  /** `mismatch`: the token was used within the last five minutes for another start. */
  start(asked: BuildStart): Build | 'no project' | 'mismatch';
  find(id: string): Build | undefined;
  /** Asks for a build's end; undefined when there is none. */
  stopBuild(id: string): Build | undefined;
  /** Builds whose processes have not ended, and process ids of theirs. */
  running(): number;
  pids(): number[];
  /** Asks every build to end, ends after `withinMs` what has not, and waits until nothing of it is left. */
  stop(withinMs: number): Promise<void>;
}

interface Running {
  build: Build;
  readonly variables: Readonly<Record<string, string>>;
  readonly process: BuildProcess;
  /** How it is to be told, where we have ended it. */
  ending?: 'STOPPED' | 'TIMED_OUT';
}

/** How long CodeBuild knows a start by its token. */
const TOKEN_MS = 5 * 60_000;

export function createBuilds(program: BuildProgram, bus: Pick<Bus, 'put' | 'stamped'>, log: LocalLog, now: () => number = Date.now): Builds {
  const projects = new Map<string, BuildProject>();
  const builds = new Map<string, Running>();
  const tokens = new Map<string, { readonly said: string; readonly id: string; readonly at: number }>();
  let stopping = false;

  function begin(project: BuildProject, { variables, timeoutMinutes = project.timeoutMinutes }: BuildStart): Build {
    const id = `${project.name}:${randomUUID()}`;
    const own = { ...project.variables, ...variables };
    const build: Build = { id, project: project.name, status: 'IN_PROGRESS', startedAt: now() };
    const process = program(project.entry, { ...own, CODEBUILD_BUILD_ID: id, CODEBUILD_BUILD_ARN: arn('codebuild', `build/${id}`), CI: 'true' });
    const running: Running = { build, variables: own, process };
    builds.set(id, running);
    const late = setTimeout(() => end(running, 'TIMED_OUT'), timeoutMinutes * 60_000);
    void process.ended.then((code) => {
      clearTimeout(late);
      const status = running.ending ?? (code === 0 ? 'SUCCEEDED' : 'FAILED');
      running.build = { ...running.build, status, endedAt: now() };
      if (status === 'FAILED') log(`${project.name}: the build ${id} ended with ${code ?? 'a signal'}`, new Error('a tool job failed'));
      if (!stopping) bus.put('default', endOf(running));
    });
    return build;
  }

  function end(running: Running, how: 'STOPPED' | 'TIMED_OUT'): void {
    if (running.build.status !== 'IN_PROGRESS') return;
    running.ending ??= how;
    running.process.kill();
  }

  /** What CodeBuild puts on the account's bus. https://docs.aws.amazon.com/codebuild/latest/userguide/sample-build-notifications.html */
  function endOf({ build, variables }: Running) {
    const own = Object.entries(variables).map(([name, value]) => ({ name, value, type: 'PLAINTEXT' }));
    const detail = {
      'build-status': build.status,
      'project-name': build.project,
      'build-id': arn('codebuild', `build/${build.id}`),
      'additional-information': { environment: { 'environment-variables': own } },
      version: '1',
    };
    return bus.stamped({ source: 'aws.codebuild', detailType: 'CodeBuild Build State Change', resources: [detail['build-id']], detail });
  }

  return {
    add: (project) => void projects.set(project.name, project),
    start(asked) {
      const project = projects.get(asked.project);
      if (!project) return 'no project';
      if (asked.token === undefined) return begin(project, asked);
      const said = JSON.stringify([asked.project, asked.variables, asked.timeoutMinutes]);
      const known = tokens.get(asked.token);
      if (known && now() - known.at < TOKEN_MS) return known.said === said ? (builds.get(known.id) as Running).build : 'mismatch';
      const build = begin(project, asked);
      tokens.set(asked.token, { said, id: build.id, at: now() });
      return build;
    },
    find: (id) => builds.get(id)?.build,
    stopBuild(id) {
      const found = builds.get(id);
      if (found) end(found, 'STOPPED');
      return found?.build;
    },
    running: () => [...builds.values()].filter(({ build }) => build.status === 'IN_PROGRESS').length,
    pids: () => [...builds.values()].flatMap(({ build, process }) => (build.status === 'IN_PROGRESS' && process.pid !== undefined ? [process.pid] : [])),
    async stop(withinMs) {
      stopping = true;
      const left = [...builds.values()].filter(({ build }) => build.status === 'IN_PROGRESS');
      for (const { process } of left) process.ask();
      const timer = setTimeout(() => {
        for (const one of left) end(one, 'STOPPED');
      }, withinMs);
      await Promise.all(left.map(({ process }) => process.ended));
      clearTimeout(timer);
    },
  };
}
