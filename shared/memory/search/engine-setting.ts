import type { Context } from '../../context.ts'

export type EngineName = 'lexical' | 'vectors'

/** The search engines of this deployment. */
export const enginesOf = (ctx: Context): readonly EngineName[] => {
  const mode = ctx.env('MEMORY_SEARCH')
  if (mode === 'lexical' || mode === 'vectors') return [mode]
  if (mode === 'hybrid') return ['lexical', 'vectors']
  throw new Error(`the memories cannot be searched by "${mode}"`)
}
