import { type ListResourcesResult, type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { Context } from '../context.ts'
import { readGuides, readPlatforms } from './files.ts'

const platformUri = (id: string) => `social://platforms/${id}`
const guideUri = (name: string) => `social://guides/${name}`

/** The rules of each platform, and the guides. Nothing of a workspace: that is what tools return. */
export const listResources = async (ctx: Context): Promise<ListResourcesResult> => {
  const [platforms, guides] = await Promise.all([readPlatforms(ctx), readGuides(ctx)])
  return {
    resources: [
      ...platforms.map(({ id, name }) => ({
        uri: platformUri(id),
        name: `platform-${id}`,
        title: `Rules of ${name}`,
        description: `What ${name} accepts: text, files, and metadata.`,
        mimeType: 'application/json',
      })),
      ...guides.map(({ name, title, summary }) => ({
        uri: guideUri(name),
        name: `guide-${name}`,
        title,
        description: summary,
        mimeType: 'text/markdown',
      })),
    ],
  }
}

export const readResource = async (ctx: Context, uri: string): Promise<ReadResourceResult> => {
  const platform = (await readPlatforms(ctx)).find(({ id }) => platformUri(id) === uri)
  if (platform !== undefined) {
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(platform) }] }
  }
  const guide = (await readGuides(ctx)).find(({ name }) => guideUri(name) === uri)
  if (guide === undefined) throw new ResourceNotFoundError(uri)
  return { contents: [{ uri, mimeType: 'text/markdown', text: guide.markdown }] }
}
