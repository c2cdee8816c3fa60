import type { Client } from '../../../../functions/client.ts'
import type { Item } from '../../../../shared/db/table.ts'
import type { Journal } from '../journal.ts'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The usage of the quotas against the rows that cause it. */
const compareQuotas = async (api: Client, workspaceId: string, rows: readonly Item[]): Promise<string[]> => {
  const own = rows.filter((row) => row['workspaceId'] === workspaceId)
  const ofType = (type: string) => own.filter((row) => row['type'] === type)
  const truth: Readonly<Record<string, number>> = {
    drafts: ofType('Draft').length,
    memories: ofType('Memory').length,
    storageBytes: sum(ofType('Asset').map(({ fileSize }) => Number(fileSize))),
  }
  const { quotas } = await api.workspaces.listQuotas({ params: { id: workspaceId } })
  return quotas.flatMap(({ name, used }) => {
    const expected = truth[name]
    return expected === undefined || expected === used
      ? []
      : [`the quota ${name} says ${used}, the rows say ${expected}`]
  })
}

/** The caps on X against the posts that use them; a post that was deleted while live still counts. */
const compareCaps = (journal: Journal, rows: readonly Item[]): string[] => {
  const holding = Map.groupBy(
    rows.filter(({ type, capMonth }) => type === 'Post' && capMonth !== undefined),
    ({ capMonth }) => capMonth,
  )
  const outlived = [...journal.posts.values()].filter(
    ({ platform, deleted, mayBeLive }) => platform === 'x' && deleted === 'yes' && mayBeLive,
  ).length
  return rows.flatMap(({ type, month, used }) => {
    if (type !== 'XCap') return []
    const least = holding.get(month)?.length ?? 0
    const fits = Number(used) >= least && Number(used) <= least + outlived
    return fits ? [] : [`the cap on X of ${month} says ${used}, the rows say ${least} to ${least + outlived}`]
  })
}

/** The counts of the service against its rows. */
export const compareCounts = async (
  api: Client,
  workspaceId: string,
  journal: Journal,
  rows: readonly Item[],
): Promise<string[]> => [...(await compareQuotas(api, workspaceId, rows)), ...compareCaps(journal, rows)]
