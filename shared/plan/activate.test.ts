import { describe, expect, it } from 'vitest';
import { LockkeeperError } from '../errors/error.ts';
import { activateLines } from './activate.ts';
import { readPlan } from './read.ts';
import { sampleRegistry } from './sample-registry.ts';
import type { ReleaseContext } from './types.ts';

const pullRequest: ReleaseContext = { environment: 'preview', scope: 'pr-42', branch: 'feat/x', sha: '0123456789abcdef0123', pullRequest: 42 };
const production: ReleaseContext = { environment: 'production', scope: 'main', branch: 'main', sha: 'fedcba9876543210', pullRequest: undefined };

const planOf = (lines: string, head = '') => {
  const text = `version: 1\n${head}providers:\n  neon: { project: shop }\n  vercel: { project: shop }\nchanges:\n${lines}`;
  const { plan, problems } = readPlan(text, 'release.plan.yaml', sampleRegistry);
  if (plan === undefined) throw new Error(JSON.stringify(problems));
  return plan;
};
const activate = (lines: string, context = pullRequest) => activateLines(planOf(lines), context, sampleRegistry);
const refusal = (lines: string, context = pullRequest, head = ''): LockkeeperError => {
  const plan = planOf(lines, head);
  try {
    activateLines(plan, context, sampleRegistry);
  } catch (error) {
    if (error instanceof LockkeeperError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

const redirect = (id: string, more: string) => `  - { id: ${id}, adapter: clerk, op: redirect_allow, ${more} }\n`;

describe('the active lines', () => {
  it('are those of the environment and those of every environment', () => {
    const lines = redirect('a', 'url: x') + redirect('b', 'url: x, environments: [production]') + redirect('c', 'url: x, environments: [preview]');

    expect(activate(lines).map((line) => line.id)).toEqual(['a', 'c']);
    expect(activate(lines, production).map((line) => line.id)).toEqual(['a', 'b']);
  });

  it('stand after what they need, in file order otherwise', () => {
    const lines = redirect('z', 'url: { from: m.id }, depends_on: [k]') + redirect('m', 'url: x') + redirect('k', 'url: x') + redirect('a', 'url: x');

    expect(activate(lines).map((line) => line.id)).toEqual(['k', 'm', 'z', 'a']);
  });

  it('know what they need and which secrets they name, sorted and each once', () => {
    const lines =
      redirect('b', 'url: x') +
      redirect('a', 'url: x') +
      '  - { id: w, adapter: vercel, op: env, depends_on: [b], values: { C: { from: b.id }, A: { from: a.id }, Y: { secret: "env://Y" }, X: { secret: "env://X" }, Z: { secret: "env://X" } } }\n';
    const web = activate(lines).at(-1);

    expect(web?.needs).toEqual(['a', 'b']);
    expect(web?.secrets).toEqual(['env://X', 'env://Y']);
  });

  it('have every variable filled in, in values and secret addresses alone', () => {
    const lines = `  - id: w
    adapter: vercel
    op: env
    target: "\${ctx.env}"
    values:
      ALL: "\${ctx.env} \${ctx.scope} \${ctx.git.branch} \${ctx.git.sha} \${ctx.git.short_sha} \${ctx.pr.number}"
      PR: "\${ctx.pr.number}"
      KEY_OF_ENV: { secret: "env://KEY_\${ctx.env}" }
`;
    const [web] = activate(lines);

    expect(web?.params).toEqual({
      target: 'preview',
      values: {
        ALL: 'preview pr-42 feat/x 0123456789abcdef0123 0123456 42',
        PR: '42',
        KEY_OF_ENV: { secret: 'env://KEY_preview' },
      },
    });
    expect(web?.secrets).toEqual(['env://KEY_preview']);
  });

  it('make a text with outputs in it need their lines, and read nothing of it again (R1.21, R1.23)', () => {
    const [, web] = activate(
      `${redirect('a', 'url: x')}  - { id: w, adapter: vercel, op: env, values: { A: "https://\${ctx.git.branch}.\${lines.a.id}/\${lines.a.id}?\${ctx.pr.number}" } }\n`,
      { ...pullRequest, branch: '${lines.a.id}' },
    );

    expect(web?.needs).toEqual(['a']);
    expect(web?.params['values']).toEqual({
      A: {
        from: 'https://$${lines.a.id}.${lines.a.id}/${lines.a.id}?42',
        parts: ['https://${lines.a.id}.', { from: 'a.id' }, '/', { from: 'a.id' }, '?42'],
      },
    });
  });

  it('have a `${` that is only text where `$${` is written', () => {
    const [line] = activate(redirect('a', 'url: "$${HOME} $$${x} ${ctx.env} $${"'));

    expect(line?.params['url']).toBe('${HOME} $${x} preview ${');
  });

  it('never read again what was filled in', () => {
    const [line] = activate(redirect('a', 'url: "${ctx.git.branch}"'), { ...pullRequest, branch: '${ctx.git.sha}' });

    expect(line?.params['url']).toBe('${ctx.git.sha}');
  });

  it('carry the op’s defaults and the adapter’s block', () => {
    const [line] = activate('  - { id: db, adapter: neon, op: branch }\n');

    expect(line?.params).toEqual({ name: 'sample/preview/pr-42' });
    expect(line?.provider).toEqual({ project: 'shop' });
  });
});

describe('a run', () => {
  it('for an environment that is not declared is refused with those that are', () => {
    const error = refusal(redirect('a', 'url: x'), { ...pullRequest, environment: 'prodction' });

    expect(error.code).toBe('ENV_UNKNOWN');
    expect(error.message).toContain('did you mean `production`?');
    expect(error.problem.details).toEqual({ known: ['preview', 'production'] });
  });

  it.each([
    ['a reference', 'url: { from: a.id }', 7, 63],
    ['depends_on', 'url: x, depends_on: [a]', 7, 71],
  ])('is refused where %s names a line that the environment leaves out', (_, more, line, column) => {
    const error = refusal(redirect('a', 'url: x, environments: [production]') + redirect('b', more));

    expect(error.code).toBe('REF_FILTERED');
    expect(error.problem.at).toEqual({ file: 'release.plan.yaml', line, column });
    expect(error.message).toContain('`a`, which does not run in `preview`');
  });

  it('is refused where a pull request’s number is asked for outside a pull request', () => {
    const error = refusal(redirect('a', 'url: "pr-${ctx.pr.number}"'), production);

    expect(error.code).toBe('CTX_NULL');
    expect(error.problem.at).toEqual({ file: 'release.plan.yaml', line: 6, column: 55 });
    expect(error.message).toContain('`${ctx.pr.number}` has no value in this release');
  });

  it('is refused where what is filled in is nothing the op takes', () => {
    const error = refusal(
      '  - { id: w, adapter: vercel, op: env, target: "${ctx.env}" }\n',
      { ...pullRequest, environment: 'staging' },
      'environments: [staging]\n',
    );

    expect(error.code).toBe('PARAM_INVALID');
    expect(error.problem.at).toEqual({ file: 'release.plan.yaml', line: 7, column: 48 });
    expect(error.message).toContain('takes `preview`, `production` or `development`');
  });

  it('is refused with everything that is wrong, the first in front', () => {
    const error = refusal(redirect('a', 'url: "${ctx.pr.number}"') + redirect('b', 'url: "${ctx.pr.number}"'), production);

    expect(error.message).toContain('line `a`');
    expect(error.problem.details).toMatchObject({
      problems: [
        { code: 'CTX_NULL', at: { line: 6 } },
        { code: 'CTX_NULL', at: { line: 7 } },
      ],
    });
  });
});

describe('a plan of ten thousand lines', () => {
  const chain = (from: number, to: number, step: number) => {
    let lines = '';
    for (let index = from; index !== to; index += step) {
      const needed = index === to - step ? 'x' : `{ from: l${index + step}.id }`;
      lines += redirect(`l${index}`, `url: ${needed}`);
    }
    return lines;
  };

  it('is ordered where each line needs the next, however long the chain', () => {
    const active = activate(chain(0, 10_000, 1));

    expect(active).toHaveLength(10_000);
    expect(active[0]?.id).toBe('l9999');
    expect(active.at(-1)?.id).toBe('l0');
  });
});
