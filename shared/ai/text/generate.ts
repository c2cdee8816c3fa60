import type { Issue } from '../../errors/issue.ts'
import type { Usage } from '../models/model.ts'
import { generationPrompt, type Material } from './prompts.ts'
import { issuesOf, metadataOf, type Target } from './rules.ts'
import { sumOf, type Writer, writeWithin } from './write.ts'

/** What to write: everything that the request and its workspace contribute. */
export interface GenerationTask extends Material {
  prompt: string
  targets: Target[]
  /** Variants of each target. */
  count: number
}

export interface Variant {
  platform: Target['platform']
  socialAccountId: string | null
  content: string
  metadata?: Record<string, Record<string, unknown>>
  issues: Issue[]
}

/** How many model calls run in parallel. After a failure, no further call starts. */
const atOnce = 4

const mapAtOnce = async <T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  const queue = items.entries()
  let hasFailed = false
  const work = async () => {
    for (const [at, item] of queue) {
      if (hasFailed) return
      try {
        results[at] = await run(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

/** The calls of a task, each for one variant. */
export const callsOf = ({ prompt, targets, count, ...material }: GenerationTask) =>
  targets.flatMap((target) =>
    Array.from({ length: count }, (_, at) => ({
      target,
      prompt: generationPrompt(prompt, target, at + 1, material),
    })),
  )

/** Writes the variants of a task. Throws if one of them cannot be written. */
export const generate = async (
  writer: Writer,
  task: GenerationTask,
): Promise<{ variants: Variant[]; usage: Usage }> => {
  const written = await mapAtOnce(callsOf(task), async ({ target, prompt }) => {
    const { text: content, usage } = await writeWithin(writer, prompt, target)
    const metadata = metadataOf(target, content)
    const { platform, socialAccountId } = target
    const variant: Variant = {
      platform,
      socialAccountId,
      content,
      ...(metadata === undefined ? {} : { metadata: { [platform]: metadata } }),
      issues: issuesOf(target, content, metadata),
    }
    return { variant, usage }
  })
  return { variants: written.map(({ variant }) => variant), usage: sumOf(written.map(({ usage }) => usage)) }
}
