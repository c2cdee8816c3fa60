import type { Outside, OutsideParts } from '../service/outside.ts'
import { seedSecrets } from '../service/seed-secrets.ts'
import { appPlatforms, type Settings } from './settings.ts'

const off = JSON.stringify({ provider: 'off' })

/** The platforms as they are, through the operator's apps. What has no settings is off, and nothing stands in for it. */
export const startInternet =
  ({ apps, baseUrl, mediaUrl, allowedOrigins }: Settings) =>
  async ({ engines, deployed }: OutsideParts): Promise<Outside> => {
    // An app that has left the settings is gone.
    const all = Object.fromEntries(appPlatforms.map((id) => [id, apps[id]]))
    await seedSecrets(engines.clients.secretsManager, deployed, { apps: all })
    return {
      sdk: {},
      variables: {
        BASE_URL: baseUrl,
        MEDIA_URL: mediaUrl,
        BUCKET_URL: mediaUrl,
        PLATFORM_ORIGINS: '{}',
        PLATFORM_API_ENDS: '{}',
        ALLOWED_ORIGINS: allowedOrigins.join(','),
        BILLING: JSON.stringify({ prices: {}, graceDays: 0, newWorkspaces: 'free' }),
        EVENT_BUS_NAME: '',
        EXPO_ORIGIN: '',
        METRICS: JSON.stringify({ namespace: 'social', byPlatform: true }),
        VAPID_PUBLIC_KEY: '',
      },
      aiOf: (name) => (name === 'AI_TEXT' || name === 'AI_SPEECH' ? off : undefined),
    }
  }
