import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { pinterest as connector } from '../../shared/platforms/pinterest/connect.ts'
import { pinterest } from '../../shared/platforms/pinterest/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { visit } from './visit.ts'

/** A board of the person who logs in first. */
export const boardId = '549755885171'

/** A block with all its fields. */
export const metadata = {
  boardId,
  title: 'Lemon cake',
  description: 'A cake for hot days',
  link: 'https://bea.example/cake',
}

/** Pinterest on its site, where a post is a picture with a title and a description. */
export async function visitPinterest() {
  const visited = await visit(pinterest, connector)
  const prepared = async (call: PlatformCall) => (await visited.prepared(call)).ready
  const creates = () => visited.sentTo('create')
  return {
    ...visited,
    prepared,
    publish: async (call: PlatformCall) => visited.commit(call, await prepared(call)),
    armed: async (call: PlatformCall) => visited.armed(call, await prepared(call)),
    creates,
    sent: () => JSON.parse(String(creates().at(-1)?.body)),
    async open(post: Partial<OutgoingPost> = {}): Promise<PlatformCall> {
      const media = [await visited.site.file({ altText: 'a dot' })]
      return visited.open({ text: metadata.description, metadata, media, ...post })
    },
  }
}
