import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime'
import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'

const client = perContext(() => new BedrockRuntimeClient({ maxAttempts: 4 }))

const Answer = z.object({ embedding: z.array(z.number()) })

/** Titan takes 8,192 tokens and refuses more than 50,000 characters (Bedrock guide, read 2026-11-22); a memory is shorter. */
const maxCharacters = 20_000

/** Where a text lies among others by its meaning: a point of length one, in as many dimensions as configured. */
export const embed = async (ctx: Context, text: string, signal?: AbortSignal): Promise<number[]> => {
  const dimensions = Number(ctx.env('EMBEDDING_DIMENSIONS'))
  const command = new InvokeModelCommand({
    modelId: ctx.env('EMBEDDING_MODEL'),
    contentType: 'application/json',
    accept: 'application/json',
    body: JSON.stringify({ inputText: text.slice(0, maxCharacters), dimensions, normalize: true }),
  })
  const { body } = await ctx.observe({ service: 'bedrock', action: 'InvokeModel', resource: 'embedding' }, () =>
    client(ctx).send(command, signal ? { abortSignal: signal } : {}),
  )
  const { embedding } = z.parse(Answer, JSON.parse(body.transformToString()))
  if (embedding.length !== dimensions) throw new Error(`the model gave ${embedding.length} dimensions`)
  return embedding
}
