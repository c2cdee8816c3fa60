import type { Context } from '../../context.ts'
import { batchGet } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Memory, memories } from '../memory.ts'
import { type EngineName, enginesOf, type Hit, type Searched } from './engine.ts'
import { engines } from './engines.ts'
import { enqueueIndexing } from './enqueue-indexing.ts'
import { searchUnindexed } from './vectors.ts'

type Ranked = (max: number) => Hit[]

/** Every search reads up to this many new memories from the table before an index is requested. */
const maxUnindexed = 200

/**
 * How many hits are looked up in addition to the requested ones: some may have been removed since they were indexed.
 */
const spare = 10

const maxFirst = 200

/** Runs one engine; undefined if it fails and another one can answer alone. */
const attempt = async (ctx: Context, name: EngineName, run: () => Promise<Ranked>, isOnly: boolean) => {
  try {
    return { name, ranked: await run() }
  } catch (error) {
    if (name === 'lexical') throw error
    ctx.log.warn('memories are searched without one engine', { engine: name, reason: String(error) })
    if (!isOnly) return undefined
    throw new Refusal('unavailable', 'The search is temporarily unavailable. Try again in a minute.', {
      code: 'search_unavailable',
      retryAfterSeconds: 60,
    })
  }
}

const rankings = async (ctx: Context, searched: readonly Searched[], prompt: string) => {
  const own = engines(ctx)
  const tails = enginesOf(ctx).includes('lexical') ? [] : [searchUnindexed(ctx, searched, prompt)]
  const asked = own.map((engine) =>
    attempt(ctx, engine.name, () => engine.search(ctx, searched, prompt), own.length === 1),
  )
  const answered = (await Promise.all(asked)).filter((one) => one !== undefined)
  return {
    names: answered.map(({ name }) => name),
    ranked: [...answered.map(({ ranked }) => ranked), ...(await Promise.all(tails))],
  }
}

/** The weight of the first positions of a ranking relative to later ones (Cormack and others, 2009). */
const rankConstant = 60

/**
 * Merges rankings by reciprocal rank: a hit that is high in one ranking is high in the result, and a hit that is high
 * in all is first. Scores of different engines cannot be compared, but their ranks can. First in all rankings scores 1.
 */
export const fuseRankings = (rankings: readonly (readonly Hit[])[]): Hit[] => {
  const [only] = rankings
  if (only !== undefined && rankings.length === 1) return [...only]
  const best = rankings.length / (rankConstant + 1)
  const fused = new Map<string, Hit>()
  for (const ranking of rankings) {
    for (const [n, hit] of ranking.entries()) {
      const before = fused.get(hit.id)?.score ?? 0
      fused.set(hit.id, { ...hit, score: before + 1 / (rankConstant + 1 + n) / best })
    }
  }
  return [...fused.values()].sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1))
}

/** The current memories of the hits, best first; removed ones are skipped. */
const lookUp = async (ctx: Context, searched: readonly Searched[], hits: readonly Hit[], wanted: number) => {
  const found: { hit: Hit; memory: Memory; searched: Searched }[] = []
  const byId = new Map(searched.map((one) => [one.collection.id, one]))
  for (let from = 0; from < hits.length && found.length < wanted; from += wanted + spare) {
    const some = hits.slice(from, from + wanted + spare).flatMap((hit) => {
      const one = byId.get(hit.collectionId)
      return one === undefined ? [] : [{ hit, searched: one }]
    })
    const keys = some.map(({ hit, searched: { collection } }) => ({
      workspaceId: collection.workspaceId,
      collectionId: collection.id,
      id: hit.id,
    }))
    const rows = await batchGet(ctx, keys.map(memories.key))
    for (const [n, one] of some.entries()) {
      const key = keys[n]
      const memory = key && memories.from(rows, key)
      if (memory) found.push({ ...one, memory })
    }
  }
  return found.slice(0, wanted)
}

const isBehind = (ctx: Context, { collection: { memoryCount }, index }: Searched): boolean =>
  enginesOf(ctx).includes('vectors')
    ? index?.wholeAtCount !== memoryCount
    : memoryCount - (index?.fileCount ?? 0) >= maxUnindexed

/** Finds the memories of some collections that match a prompt best. Also returns which engines took part. */
export const searchMemories = async (ctx: Context, searched: readonly Searched[], prompt: string, topK: number) => {
  const { names, ranked } = await rankings(ctx, searched, prompt)
  const look = (max: number) => {
    const lists = ranked.map((list) => list(max))
    return { hits: fuseRankings(lists), isCut: lists.some(({ length }) => length === max) }
  }
  const first = look(maxFirst)
  let found = await lookUp(ctx, searched, first.hits, topK)
  // Only if hundreds of the best hits have just been removed.
  if (found.length < topK && first.isCut) {
    found = await lookUp(ctx, searched, look(Number.MAX_SAFE_INTEGER).hits, topK)
  }
  const late = searched.filter((one) => isBehind(ctx, one))
  await Promise.all(late.map(({ collection: { workspaceId, id } }) => enqueueIndexing(ctx, workspaceId, id)))
  return { found, engines: names }
}
