import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, SecretsManagerClient, {}))

/** Stores a new value of a secret; readers get it from now on. Only for operators: no function may do this. */
export const storeSecret = async (ctx: Context, id: string, text: string): Promise<void> => {
  await ctx.observe({ service: 'secretsmanager', action: 'PutSecretValue', resource: id }, () =>
    client(ctx).send(new PutSecretValueCommand({ SecretId: id, SecretString: text })),
  )
}
