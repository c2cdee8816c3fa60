import { BedrockRuntimeClient, ConverseCommand, type ConverseCommandOutput } from '@aws-sdk/client-bedrock-runtime'
import { type Context, perContext } from '../context.ts'
import { credentialsOf, unlogged } from './client.ts'

/** One attempt: the caller knows how long a retry may take. The signal of each call ends it. */
const client = perContext((ctx) =>
  unlogged(
    new BedrockRuntimeClient({ ...credentialsOf(ctx), maxAttempts: 1, requestHandler: { requestTimeout: 110_000 } }),
  ),
)

export interface ConverseRequest {
  model: string
  system: string
  text: string
  maxTokens: number
}

/** Asks a model of Bedrock once, without tools (Bedrock API, Converse). */
export const converse = (
  ctx: Context,
  { model, system, text, maxTokens }: ConverseRequest,
  abortSignal: AbortSignal,
): Promise<ConverseCommandOutput> =>
  ctx.observe({ service: 'bedrock', action: 'Converse', resource: 'text' }, () =>
    client(ctx).send(
      new ConverseCommand({
        modelId: model,
        system: [{ text: system }],
        messages: [{ role: 'user', content: [{ text }] }],
        inferenceConfig: { maxTokens },
      }),
      { abortSignal },
    ),
  )
