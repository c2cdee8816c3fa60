import { SocialError } from 'social-publishing-client'
import { Thumbnail } from '../media/asset.tsx'
import { api, type Post } from '../store.ts'
import { useRead } from '../use-read.ts'

/** The most files that are shown: each costs a request, and a post can have 35. */
const maxFiles = 12

/** A file of the library; undefined before it is fetched, and after it is deleted. */
const readFile = async (id: string) => {
  try {
    return await api().media.get(id)
  } catch (error) {
    if (error instanceof SocialError && error.status === 404) return undefined
    throw error
  }
}

/** What is known of a file that the library does not have. */
const Missing = ({ id, imports }: { id: string; imports: Post['imports'] }) => {
  const { url, status, error } = imports.find(({ mediaId }) => mediaId === id) ?? {}
  if (status === undefined || status === 'ready') return <span class="soft">{id} is no longer in the library.</span>
  return (
    <>
      <strong>{url}</strong>
      <span class={status === 'failed' ? 'error' : 'soft'}>{error ?? 'The file is being fetched.'}</span>
    </>
  )
}

/** The files of a post, each with a way to open it. */
export const Files = ({ post: { mediaUrls, imports } }: { post: Post }) => {
  const ids = mediaUrls.slice(0, maxFiles)
  const [assets] = useRead(() => Promise.all(ids.map(readFile)), [ids, imports.map(({ status }) => status)])
  if (assets === undefined) return null
  return (
    <>
      <ul class="library">
        {assets.map((asset, n) => (
          <li key={ids[n]}>
            {asset === undefined ? (
              <Missing id={ids[n] ?? ''} imports={imports} />
            ) : (
              <>
                <a href={asset.url} target="_blank" rel="noopener" aria-label={`Open ${asset.originalFilename}`}>
                  <Thumbnail asset={asset} />
                </a>
                <strong>{asset.originalFilename}</strong>
              </>
            )}
          </li>
        ))}
      </ul>
      {mediaUrls.length > maxFiles && <p class="soft">And {mediaUrls.length - maxFiles} more.</p>}
    </>
  )
}
