import { BedrockRuntimeClient, InvokeModelCommand, ValidationException } from '@aws-sdk/client-bedrock-runtime'
import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'
import { cutText } from '../text/cut.ts'
import { credentialsOf, unlogged } from './client.ts'

const client = perContext((ctx) =>
  unlogged(
    new BedrockRuntimeClient({ ...credentialsOf(ctx), maxAttempts: 4, requestHandler: { requestTimeout: 5_000 } }),
  ),
)

const Answer = z.object({ embedding: z.array(z.number()) })

/**
 * Titan accepts 8,192 tokens (Bedrock guide, read 2026-11-22): for some scripts that is less than the longest memory.
 */
const surelyTakenCharacters = 1_000

/** The first half of a text, without cutting a character. */
const firstHalf = (text: string): string => cutText(text, Math.floor(text.length / 2))

const invoke = async (ctx: Context, inputText: string, dimensions: number, signal?: AbortSignal): Promise<string> => {
  const command = new InvokeModelCommand({
    modelId: ctx.env('EMBEDDING_MODEL'),
    contentType: 'application/json',
    accept: 'application/json',
    body: JSON.stringify({ inputText, dimensions, normalize: true }),
  })
  try {
    const { body } = await ctx.observe({ service: 'bedrock', action: 'InvokeModel', resource: 'embedding' }, () =>
      client(ctx).send(command, signal ? { abortSignal: signal } : {}),
    )
    return body.transformToString()
  } catch (error) {
    if (!(error instanceof ValidationException) || inputText.length <= surelyTakenCharacters) throw error
    return invoke(ctx, firstHalf(inputText), dimensions, signal)
  }
}

/**
 * The embedding of a text: a vector of length one, with the configured number of dimensions. If a text is too long for
 * the model, its beginning is embedded.
 */
export const embed = async (ctx: Context, text: string, signal?: AbortSignal): Promise<number[]> => {
  const dimensions = Number(ctx.env('EMBEDDING_DIMENSIONS'))
  const { embedding } = z.parse(Answer, JSON.parse(await invoke(ctx, text, dimensions, signal)))
  if (embedding.length !== dimensions) throw new Error(`the model returned ${embedding.length} dimensions`)
  return embedding
}
