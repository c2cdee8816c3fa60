import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import { type GuardedService, mapped, refuseAsJson } from '../guard.ts'

const Target = z.object({
  vectorBucketName: z.string(),
  indexName: z.string(),
  filter: z.optional(z.unknown()),
  returnMetadata: z.optional(z.boolean()),
})

const actions: Readonly<Record<string, string>> = {
  '/PutVectors': 'PutVectors',
  '/QueryVectors': 'QueryVectors',
  '/DeleteVectors': 'DeleteVectors',
}

/** What S3 Vectors asks IAM for: a query that filters or returns metadata reads vectors, too (QueryVectors, "Permissions"). */
export const s3vectorsAccess: GuardedService = {
  accessesOf({ path, body }) {
    const action = mapped(actions, 'S3 Vectors', path)
    const { vectorBucketName, indexName, filter, returnMetadata } = z.parse(Target, body)
    const resource = `arn:aws:s3vectors:${region}:${accountId}:bucket/${vectorBucketName}/index/${indexName}`
    const reads = action === 'QueryVectors' && (filter !== undefined || returnMetadata === true)
    return [action, ...(reads ? ['GetVectors'] : [])].map((name) => ({ action: `s3vectors:${name}`, resource }))
  },
  refuse: refuseAsJson(403),
}
