import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'

/** How long a download link works. */
export const linkMinutes = 60

/** A link that downloads an archive once. Only a hash of its token is stored. */
export const DownloadLink = z.object({
  tokenHash: z.string(),
  workspaceId: z.string(),
  exportId: z.string(),
  createdBy: z.string(),
  expiresAt: z.string(),
  usedAt: z.optional(z.string()),
})
export type DownloadLink = z.infer<typeof DownloadLink>

export const downloadLinks = entity({
  type: 'DownloadLink',
  shape: DownloadLink,
  key: ({ tokenHash }: Pick<DownloadLink, 'tokenHash'>) => ({ PK: `EXL#${tokenHash}`, SK: 'EXL' }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})
