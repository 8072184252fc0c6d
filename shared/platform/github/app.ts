import { z } from 'zod';
import type { Delivery } from '../../ports/code-host.ts';
import { type AppKey, asApp } from './as-app.ts';
import { appDeliveries } from './deliveries.ts';
import type { GithubSend } from './send.ts';

/** The app as GitHub knows it. docs.github.com/rest/apps/apps#get-the-authenticated-app */
const appAnswer = z.object({ slug: z.string(), permissions: z.record(z.string(), z.string()), events: z.array(z.string()) });
/** docs.github.com/rest/apps/webhooks#get-a-webhook-configuration-for-an-app: the secret is there as asterisks, or not at all. */
const hookAnswer = z.object({
  url: z.string().optional(),
  content_type: z.string().optional(),
  secret: z.string().optional(),
  insecure_ssl: z.coerce.string(),
});
const installationsAnswer = z.array(
  z.object({
    account: z.object({ login: z.string(), type: z.string().optional() }).nullable(),
    permissions: z.record(z.string(), z.string()),
    events: z.array(z.string()),
    suspended_at: z.string().nullish(),
  }),
);

export type AppDescription = z.infer<typeof appAnswer>;
export type HookDescription = z.infer<typeof hookAnswer>;
export type Installation = z.infer<typeof installationsAnswer>[number];

/** What the App can be asked about itself. Each call throws as `asApp` does. */
export interface GithubApp {
  describe(): Promise<AppDescription>;
  hook(): Promise<HookDescription>;
  /** The first hundred. */
  installations(): Promise<readonly Installation[]>;
  /** What was sent to the webhook since an instant (epoch ms), newest first. */
  deliveriesSince(moment: number): Promise<readonly Delivery[]>;
}

export function githubApp(key: AppKey, send: GithubSend): GithubApp {
  const ask = asApp(key, send);
  return {
    describe: () => ask('GET /app', {}, appAnswer),
    hook: () => ask('GET /app/hook/config', {}, hookAnswer),
    async deliveriesSince(moment) {
      const found: Delivery[] = [];
      for await (const one of appDeliveries(key, send).since(moment)) found.push(one);
      return found;
    },
    installations: () => ask('GET /app/installations', { per_page: 100 }, installationsAnswer),
  };
}
