import * as z from 'zod/mini'
import { refuse } from './refuse.ts'

/** The types of blocks in messages (Slack, Block Kit, Blocks, 2026-11-29). */
const types = new Set([
  ...['actions', 'alert', 'card', 'carousel', 'context', 'context_actions', 'data_table', 'data_visualization'],
  ...['divider', 'file', 'header', 'image', 'input', 'markdown', 'plan', 'rich_text', 'section', 'table'],
  ...['task_card', 'video'],
])

const Text = (maxLength: number) =>
  z.looseObject({
    type: z.enum(['plain_text', 'mrkdwn']),
    text: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  })

/** The blocks whose text authors write, with their limits. */
const shapes: Readonly<Record<string, z.ZodMiniType>> = {
  section: z
    .looseObject({
      text: z.optional(Text(3000)),
      fields: z.optional(z.array(Text(2000)).check(z.minLength(1), z.maxLength(10))),
    })
    .check(z.refine(({ text, fields }) => text !== undefined || fields !== undefined)),
  header: z.looseObject({ text: z.extend(Text(150), { type: z.literal('plain_text') }) }),
  image: z.looseObject({ alt_text: z.string().check(z.maxLength(2000)) }),
  markdown: z.looseObject({ text: z.string().check(z.minLength(1), z.maxLength(12_000)) }),
}

const maxBlocks = 50

/** A block has a type; the fields that `checkBlocks` reads have Slack's format. */
export const Blocks = z.array(z.looseObject({ type: z.string() }))
export type Blocks = z.infer<typeof Blocks>

/** Refuses blocks as Slack does. */
export function checkBlocks(blocks: Blocks): void {
  const isKnown = (block: Blocks[number]) =>
    types.has(block.type) &&
    (shapes[block.type] === undefined || z.safeParse(shapes[block.type] ?? z.unknown(), block).success)
  if (blocks.length === 0 || blocks.length > maxBlocks || !blocks.every(isKnown)) refuse('invalid_blocks')
}
