import { generateKeyPairSync } from 'node:crypto';
import { systemClock } from '../../../shared/platform/clock.ts';
import { githubApp } from '../../../shared/platform/github/app.ts';
import { githubCodeHost } from '../../../shared/platform/github/code-host.ts';
import { githubSend } from '../../../shared/platform/github/send.ts';
import { demo } from '../../sim/seed.ts';

/** What is asked of GitHub outside of a run: by the doctor about the App, and about people where one of them decides. */
export async function lookedUp(baseUrl: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const credentials = { appId: 1_204_512, privateKey };
  const app = githubApp(credentials, githubSend({ baseUrl, clock: systemClock }));
  await app.describe();
  await app.hook();
  await app.installations();
  const host = githubCodeHost({ baseUrl, credentials, clock: systemClock });
  const repository = { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' };
  await host.permission(repository, 'robin');
  await host.authorsOf(repository, demo.mainCommit);
}
