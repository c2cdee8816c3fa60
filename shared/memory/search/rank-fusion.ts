import type { Hit } from './engine.ts'

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
