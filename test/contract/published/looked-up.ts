import { generateKeyPairSync } from 'node:crypto';
import { systemClock } from '../../../shared/platform/clock.ts';
import { githubApp } from '../../../shared/platform/github/app.ts';
import { githubCodeHost } from '../../../shared/platform/github/code-host.ts';
import { appDeliveries } from '../../../shared/platform/github/deliveries.ts';
import { githubSend } from '../../../shared/platform/github/send.ts';
import { demo } from '../../sim/seed.ts';

/** What is asked of GitHub outside of a run: about the App by the doctor, about lost deliveries, about people where one decides, about a comment that somebody decides by, about the dashboard issue, and for the files of a stack. */
export async function lookedUp(baseUrl: string, comment: number): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const credentials = { appId: 1_204_512, privateKey };
  const send = githubSend({ baseUrl, clock: systemClock });
  const app = githubApp(credentials, send);
  await app.describe();
  await app.hook();
  await app.installations();
  const deliveries = appDeliveries(credentials, send);
  for await (const { id } of deliveries.since(0)) {
    await deliveries.again(id);
    break;
  }
  const host = githubCodeHost({ baseUrl, credentials, clock: systemClock });
  const repository = { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' };
  await host.permission(repository, 'robin');
  await host.isPerson(repository, 'robin');
  await host.inTeam(repository, `${demo.owner}/releases`, 'robin');
  await host.comment(repository, comment);
  const marker = /^dashboard$/;
  const made = await host.issues?.create(repository, { title: 'Dashboard', body: 'dashboard', label: 'lockkeeper', marker });
  const number = made?.number ?? 0;
  await host.issues?.find(repository, 'lockkeeper', marker);
  await host.issues?.read(repository, number);
  await host.issues?.write(repository, number, { body: 'dashboard\n', open: false });
  await host.issues?.edits(repository, number);
  await host.authorsOf(repository, demo.mainCommit);
  await host.archive(repository, demo.mainCommit);
}
