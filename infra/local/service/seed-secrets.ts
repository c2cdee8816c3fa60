import { randomBytes } from 'node:crypto'
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { everyPlatform } from '../platforms/every.ts'
import type { Environment } from './environment.ts'

/** Creates a secret; answers whether it is new. */
const create = async (secrets: SecretsManagerClient, Name: string, value: object): Promise<boolean> => {
  try {
    await secrets.send(new CreateSecretCommand({ Name, SecretString: JSON.stringify(value) }))
    return true
  } catch (error) {
    if (error instanceof ResourceExistsException) return false
    throw error
  }
}

const nameIn = (arn: string) => arn.split(':secret:').at(-1) ?? arn

/** Fills in the secrets that functions read: keys of tokens, which stay, and the apps at the stand-ins. */
export const seedSecrets = async (secrets: SecretsManagerClient, environment: Environment): Promise<void> => {
  const { TOKEN_KEYS_SECRET, PLATFORM_SECRETS_PREFIX } = environment
  if (TOKEN_KEYS_SECRET !== undefined) {
    await create(secrets, nameIn(TOKEN_KEYS_SECRET), { current: randomBytes(32).toString('hex') })
  }
  if (PLATFORM_SECRETS_PREFIX === undefined) return
  for (const { id, app } of everyPlatform) {
    if (app === undefined) continue
    const name = `${PLATFORM_SECRETS_PREFIX}${id}`
    if (await create(secrets, name, app)) continue
    await secrets.send(new PutSecretValueCommand({ SecretId: name, SecretString: JSON.stringify(app) }))
  }
}
