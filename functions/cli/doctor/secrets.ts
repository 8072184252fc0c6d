import { createPrivateKey } from 'node:crypto';
import type { AppKey } from '../../../shared/platform/github/as-app.ts';
import { fingerprintKey } from '../../../shared/secrets/keys.ts';
import type { Resolution } from '../../../shared/secrets/source.ts';
import { type Finding, fine, wrong } from './finding.ts';
import type { Probes } from './probes.ts';

/** What the secrets came to. `app` is there when it can be used: GitHub is asked with it. Nothing else of a value leaves here. */
export interface SecretFindings {
  readonly findings: readonly Finding[];
  readonly app?: AppKey;
}

const shortest = 20;

/** Whether each of the stack's own secrets is there and of the right shape. */
export async function secretFindings(probes: Pick<Probes, 'secret'>, outputs: Readonly<Record<string, string>>): Promise<SecretFindings> {
  const webhook = String(outputs['WebhookSecretName']);
  const app = String(outputs['GithubAppSecretName']);
  const prefix = prefixOf(webhook);
  const read = { webhook: await probes.secret(webhook), app: await probes.secret(app) };
  const key = read.app.found ? appKeyIn(read.app.value) : undefined;
  const findings = [
    shaped(
      webhook,
      read.webhook,
      isWebhookSecret,
      `it must be at least ${shortest} characters without a space or line end`,
      'Put a generated value there, and the same at GitHub.',
    ),
    shaped(
      app,
      read.app,
      () => typeof key === 'object',
      typeof key === 'string' ? key : '',
      'Put {"appId": "…", "privateKey": "-----BEGIN…"} there: docs/deploy.md.',
    ),
  ];
  for (const name of ['fingerprint-key', 'sealing-key']) {
    const id = `${prefix}/${name}`;
    findings.push(
      shaped(
        id,
        await probes.secret(id),
        isKey,
        'it is shorter than 32 characters',
        'Restore the value it had: with another key nothing that is stored can be compared or opened.',
      ),
    );
  }
  return { findings, ...(typeof key === 'object' ? { app: key } : {}) };
}

/** First part of every secret's name. */
export const prefixOf = (webhookSecret: string): string => webhookSecret.replace(/\/[^/]*$/, '');

/** Which secrets plans can use, by environment. Names alone are asked for. */
export function planSecretsFinding(names: readonly string[], prefix: string): Finding {
  const check = 'secrets of plans';
  const places = names.flatMap((name) => {
    const [environment, secret, ...deeper] = name.slice(prefix.length + 1).split('/');
    return environment && secret && deeper.length === 0 ? [{ environment, secret }] : [];
  });
  if (places.length === 0) {
    const remedy = 'Create those of the providers your plans name: docs/deploy.md, “Fill the secrets”.';
    return wrong(check, `there is none below ${prefix}/<environment>/, so no provider can be spoken to`, remedy);
  }
  const environments = Map.groupBy(places, ({ environment }) => environment);
  return fine(check, [...environments].map(([name, inside]) => `${name}: ${inside.map(({ secret }) => secret).join(', ')}`).join('; '));
}

function shaped(id: string, read: Resolution, holds: (value: string) => boolean, shape: string, remedy: string): Finding {
  const check = `secret ${id}`;
  if (!read.found) return wrong(check, read.why, remedy);
  return holds(read.value) ? fine(check, 'has a value of the right shape') : wrong(check, `its value cannot be used: ${shape}`, remedy);
}

const isWebhookSecret = (value: string): boolean => value.length >= shortest && !/\s/.test(value);

/** As the functions judge it, who take any text of enough characters. */
function isKey(value: string): boolean {
  try {
    fingerprintKey(value);
    return true;
  } catch {
    return false;
  }
}

/** The App's key, or what is wrong with it. The parser's own words are left out: they may quote what they could not read. */
function appKeyIn(value: string): AppKey | string {
  const { appId, privateKey } = fieldsOf(value);
  if (typeof appId !== 'string' && typeof appId !== 'number') return 'it must be JSON with an "appId"';
  if (typeof privateKey !== 'string') return 'it must be JSON with a "privateKey"';
  try {
    if (createPrivateKey(privateKey).asymmetricKeyType !== 'rsa') return 'the private key is no RSA key';
    return { appId, privateKey };
  } catch {
    return 'the private key is no PEM text, or has lost its line ends';
  }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
