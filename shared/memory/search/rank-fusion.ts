import type { Hit } from './engine.ts'

/** How much the first places of a ranking count before the later ones (Cormack and others, 2009). */
const rankConstant = 60

/**
 * One ranking of several by reciprocal ranks: what stands high in any of them stands high, what stands high in all stands
 * first. Scores of different engines cannot be compared, their ranks can. First in all rankings scores 1.
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
