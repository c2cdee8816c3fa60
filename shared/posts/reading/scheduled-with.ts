import type { Context } from '../../context.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { queryAll } from '../../db/table.ts'
import { usePrefix, usesPartitionOf } from '../../media/media-file.ts'
import { posts } from '../lifecycle/row.ts'

const groupsAtOnce = 10

const scheduledBelow = async (ctx: Context, workspaceId: string, assetId: string, owner: string) => {
  const { PK } = posts.key({ workspaceId, id: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', owner)) })
  return rows
    .map(posts.parse)
    .filter(({ status, media }) => status === 'scheduled' && media.some(({ id }) => id === assetId))
    .map(({ id }) => id)
}

/** The scheduled posts that will use a file, oldest first. A use row only says where to look, because posts change. */
export const scheduledWith = async (ctx: Context, workspaceId: string, assetId: string): Promise<string[]> => {
  const prefix = usePrefix(assetId)
  const uses = await queryAll(ctx, { key: allOf(equal('PK', usesPartitionOf(workspaceId)), begins('SK', prefix)) })
  const owners = uses.map((use) => String(use['SK']).slice(prefix.length))
  const postIds: string[] = []
  for (let from = 0; from < owners.length; from += groupsAtOnce) {
    const groups = owners.slice(from, from + groupsAtOnce)
    postIds.push(...(await Promise.all(groups.map((id) => scheduledBelow(ctx, workspaceId, assetId, id)))).flat())
  }
  return [...new Set(postIds)]
}
