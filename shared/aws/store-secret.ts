import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, SecretsManagerClient, {}))

/** Stores a new value of a secret; readers get it from now on. Only for operators: no function may do this. */
export const storeSecret = async (ctx: Context, id: string, text: string): Promise<void> => {
  await ctx.observe({ service: 'secretsmanager', action: 'PutSecretValue', resource: id }, () =>
    client(ctx).send(new PutSecretValueCommand({ SecretId: id, SecretString: text })),
  )
}

/** Creates a secret. Returns false if the name exists; that secret stays unchanged. Only for operators. */
export const createSecret = async (ctx: Context, name: string, text: string): Promise<boolean> => {
  try {
    await ctx.observe({ service: 'secretsmanager', action: 'CreateSecret', resource: name }, () =>
      client(ctx).send(new CreateSecretCommand({ Name: name, SecretString: text })),
    )
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceExistsException') return false
    throw error
  }
}
