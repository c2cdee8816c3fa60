import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, SecretsManagerClient, {}))

/** The value of a secret by its name or ARN, and when it was stored. */
export const readSecretVersion = async (ctx: Context, id: string): Promise<{ text: string; storedAtMs: number }> => {
  const answer = await ctx.observe({ service: 'secretsmanager', action: 'GetSecretValue', resource: id }, () =>
    client(ctx).send(new GetSecretValueCommand({ SecretId: id })),
  )
  if (answer.SecretString === undefined) throw new Error(`the secret ${id} has no text`)
  return { text: answer.SecretString, storedAtMs: answer.CreatedDate?.getTime() ?? 0 }
}

/** The value of a secret by its name or ARN. */
export const readSecret = async (ctx: Context, id: string): Promise<string> => (await readSecretVersion(ctx, id)).text
