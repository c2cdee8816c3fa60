import * as z from 'zod/mini'

const Blob = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: z.string() }),
  mimeType: z.string(),
  size: z.number(),
})
const Described = z.object({ alt: z.string() })

export interface BlobUse {
  cid: string
  mimeType: string
  size: number
  alt: string
}

/** Every blob that a record refers to at any depth, with its description. */
export function findBlobs(value: unknown, alt = ''): BlobUse[] {
  if (typeof value !== 'object' || value === null) return []
  const { data } = Blob.safeParse(value)
  if (data !== undefined) return [{ cid: data.ref.$link, mimeType: data.mimeType, size: data.size, alt }]
  const described = Described.safeParse(value).data?.alt ?? ''
  return Object.values(value).flatMap((inner) => findBlobs(inner, described))
}
