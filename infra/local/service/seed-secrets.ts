import { randomBytes } from 'node:crypto'
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import * as z from 'zod/mini'
import { makeVapidKeys, VapidKeys, vapidSecret } from '../../../shared/notifications/providers/vapid.ts'
import { openAiKeys } from '../ai/openai.ts'
import { everyPlatform } from '../platforms/every.ts'
import { stripeSeed } from '../stripe/seed.ts'
import type { Environment } from './environment.ts'

/** Creates a secret; returns whether it is new. */
const create = async (secrets: SecretsManagerClient, Name: string, value: object): Promise<boolean> => {
  try {
    await secrets.send(new CreateSecretCommand({ Name, SecretString: JSON.stringify(value) }))
    return true
  } catch (error) {
    if (error instanceof ResourceExistsException) return false
    throw error
  }
}

/** The VAPID keys, which stay: browsers subscribe with the public one. */
const seedVapidKeys = async (secrets: SecretsManagerClient, prefix: string): Promise<string> => {
  const SecretId = `${prefix}${vapidSecret}`
  const made = makeVapidKeys()
  if (await create(secrets, SecretId, made)) return made.publicKey
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }))
  return z.parse(VapidKeys, JSON.parse(SecretString)).publicKey
}

const nameIn = (arn: string) => arn.split(':secret:').at(-1) ?? arn

/** Values that are created with the secrets, and are not secret. */
interface Seeded {
  vapidPublicKey?: string
}

/** Creates the secrets that functions read: keys of tokens and of Web Push, which stay, and those of the stand-ins. */
export const seedSecrets = async (secrets: SecretsManagerClient, environment: Environment): Promise<Seeded> => {
  const { TOKEN_KEYS_SECRET, PLATFORM_SECRETS_PREFIX, PUSH_SECRETS_PREFIX, AI_SECRET, STRIPE_SECRET } = environment
  if (TOKEN_KEYS_SECRET !== undefined) {
    await create(secrets, nameIn(TOKEN_KEYS_SECRET), { current: randomBytes(32).toString('hex') })
  }
  if (STRIPE_SECRET !== undefined) {
    const { apiKey, webhookSecret } = stripeSeed
    await create(secrets, STRIPE_SECRET, { apiKey, webhookSecret })
  }
  const seeded =
    PUSH_SECRETS_PREFIX === undefined ? {} : { vapidPublicKey: await seedVapidKeys(secrets, PUSH_SECRETS_PREFIX) }
  if (AI_SECRET !== undefined) await create(secrets, AI_SECRET, openAiKeys)
  if (PLATFORM_SECRETS_PREFIX === undefined) return seeded
  for (const { id, app } of everyPlatform) {
    if (app === undefined) continue
    const name = `${PLATFORM_SECRETS_PREFIX}${id}`
    if (await create(secrets, name, app)) continue
    await secrets.send(new PutSecretValueCommand({ SecretId: name, SecretString: JSON.stringify(app) }))
  }
  return seeded
}
