import { randomBytes } from 'node:crypto'
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import * as z from 'zod/mini'
import { makeVapidKeys, VapidKeys, vapidSecret } from '../../../shared/notifications/providers/vapid.ts'
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

const remove = async (secrets: SecretsManagerClient, SecretId: string): Promise<void> => {
  try {
    await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error
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

/** Secrets of the operator outside of AWS. */
export interface Seeds {
  /** The operator's app at each platform; undefined removes one. */
  apps: Readonly<Partial<Record<string, object>>>
  /** The API keys of AI providers. */
  ai?: object
  stripe?: object
}

/** Creates the secrets that functions read: keys of tokens and of Web Push, which stay, and those of the operator. */
export const seedSecrets = async (
  secrets: SecretsManagerClient,
  environment: Environment,
  { apps, ai, stripe }: Seeds,
): Promise<Seeded> => {
  const { TOKEN_KEYS_SECRET, PLATFORM_SECRETS_PREFIX, PUSH_SECRETS_PREFIX, AI_SECRET, STRIPE_SECRET } = environment
  if (TOKEN_KEYS_SECRET !== undefined) {
    await create(secrets, nameIn(TOKEN_KEYS_SECRET), { current: randomBytes(32).toString('hex') })
  }
  if (STRIPE_SECRET !== undefined && stripe !== undefined) await create(secrets, STRIPE_SECRET, stripe)
  const seeded =
    PUSH_SECRETS_PREFIX === undefined ? {} : { vapidPublicKey: await seedVapidKeys(secrets, PUSH_SECRETS_PREFIX) }
  if (AI_SECRET !== undefined && ai !== undefined) await create(secrets, AI_SECRET, ai)
  if (PLATFORM_SECRETS_PREFIX === undefined) return seeded
  for (const [id, app] of Object.entries(apps)) {
    const name = `${PLATFORM_SECRETS_PREFIX}${id}`
    if (app === undefined) {
      await remove(secrets, name)
      continue
    }
    if (await create(secrets, name, app)) continue
    await secrets.send(new PutSecretValueCommand({ SecretId: name, SecretString: JSON.stringify(app) }))
  }
  return seeded
}
