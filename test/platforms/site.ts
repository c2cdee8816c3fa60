import { randomUUID } from 'node:crypto'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { vi } from 'vitest'
import { startBuckets } from '../../infra/local/engines/buckets.ts'
import { startSecrets } from '../../infra/local/engines/secrets.ts'
import { startMediaHost } from '../../infra/local/media-host.ts'
import { everyPlatform } from '../../infra/local/platforms/every.ts'
import { startPlatforms } from '../../infra/local/platforms/start.ts'
import { type Effect, makeContext } from '../../shared/context.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import type { ConnectedAccount } from '../../shared/platforms/account.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { PlatformError } from '../../shared/platforms/platform-error.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' }
const bucket = 'media'

/** A picture of one dot. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADAgH/pUsL1QAAAABJRU5ErkJggg==',
  'base64',
)

/** Every stand-in, a bucket and a secret, all on one clock that tests move; no table. */
export async function startSite() {
  let now = Date.UTC(2026, 10, 21, 12)
  const pass = (ms: number) => {
    now += ms
  }
  const clock = { now: () => now, sleep: async (ms: number) => pass(ms) }
  const [platforms, buckets, secrets] = await Promise.all([
    startPlatforms({ clock }),
    startBuckets({ clock: { now: () => Date.now() }, credentials }),
    startSecrets({ clock }),
  ])
  vi.stubEnv('AWS_ENDPOINT_URL_S3', buckets.url)
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.url)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey)
  buckets.create(bucket)
  const mediaHost = await startMediaHost({ buckets, bucket })
  const secretsClient = new SecretsManagerClient({})
  for (const { id, app } of everyPlatform) {
    if (app === undefined) continue
    const SecretString = JSON.stringify(app)
    await secretsClient.send(new CreateSecretCommand({ Name: `platforms/${id}`, SecretString }))
  }
  secretsClient.destroy()
  const s3 = new S3Client({ forcePathStyle: true })

  const effects: Effect[] = []
  // People name the hosts of these platforms.
  const named = definitions.filter(({ hosts }) => hosts === undefined)
  const env = {
    BASE_URL: 'https://service.test',
    ALLOWED_ORIGINS: [...named.map(({ id }) => platforms.urls[id]), 'https://elsewhere.test'].join(','),
    PLATFORM_ORIGINS: JSON.stringify(platforms.urls),
    PLATFORM_API_ENDS: '{"reddit":null}',
    PLATFORM_SECRETS_PREFIX: 'platforms/',
    MEDIA_BUCKET: bucket,
    MEDIA_URL: mediaHost.url,
  }
  const observe = <T>(effect: Effect, run: () => Promise<T>) => {
    effects.push(effect)
    return run()
  }
  return {
    platforms,
    effects,
    pass,
    now: () => now,
    /** A context without memory of an earlier test. */
    ctx: (over: Partial<Record<keyof typeof env, string>> = {}) => makeContext({ ...env, ...over }, { clock, observe }),
    /** A file in the bucket, as a post has it. */
    async file(more: Partial<MediaFile> = {}, bytes: Uint8Array = png): Promise<MediaFile> {
      const id = randomUUID()
      const storageKey = `media/${id}`
      const mimeType = more.mimeType ?? 'image/png'
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: storageKey, Body: bytes, ContentType: mimeType }))
      const fileSize = bytes.byteLength
      return { id, storageKey, mimeType, fileSize, originalFilename: 'dot.png', ...more }
    },
    post: (more: Partial<OutgoingPost> = {}): OutgoingPost => ({
      id: randomUUID(),
      version: 1,
      text: 'Hello',
      metadata: undefined,
      media: [],
      assets: {},
      scheduledAtMs: now,
      ...more,
    }),
    async close() {
      vi.unstubAllEnvs()
      s3.destroy()
      await Promise.all([platforms.close(), mediaHost.close(), buckets.close(), secrets.close()])
    },
  }
}

export function accountOf(more: Pick<ConnectedAccount, 'externalId' | 'credentials' | 'details'>): ConnectedAccount {
  return { id: 'acc_1', workspaceId: 'ws_1', username: null, ...more }
}

/** How a call failed; a call that did not fail as a PlatformError fails the test. */
export async function failureOf(run: Promise<unknown>): Promise<PlatformError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof PlatformError) return error
  throw new Error('expected a PlatformError', { cause: error })
}
