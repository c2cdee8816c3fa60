import { openAccess } from './facebook/access.ts'
import { openFeed } from './facebook/feed.ts'
import { facebookSeed } from './facebook/seed.ts'
import { openVideos } from './facebook/videos.ts'
import { openComments } from './graph/comments.ts'
import { takingFields } from './graph/forms.ts'
import { graphRefusals, refuse, unknownObject, usageHeaders } from './graph/refuse.ts'
import { versionless } from './graph/versions.ts'
import type { Platform, SimulatorContext, StandIn } from './standin.ts'

export { facebookSeed } from './facebook/seed.ts'

/** People and the pages that they manage, by the rules of Graph API v25.0, which also serves the other versions. */
export const facebook: Platform = {
  id: 'facebook',
  name: 'Facebook',
  tint: '#1877f2',
  maxBodyBytes: 1024 * 1024,
  app: { clientId: facebookSeed.clientId, clientSecret: facebookSeed.clientSecret },
  build,
}

function build(context: SimulatorContext): StandIn {
  const access = openAccess(context)
  const feed = openFeed(context, access)
  const videos = openVideos(context, access, feed)
  const comments = openComments(context, {
    version: 'v25.0',
    ownerOf(call, object) {
      const { id } = access.commenterOf(call)
      return feed.has(object, id) || videos.has(object, id) ? id : refuse(unknownObject(object))
    },
    show: ({ object, account, text, id, time }) => ({
      from: { id: account },
      message: text,
      created_time: time,
      permalink_url: `https://www.facebook.com/${object}/?comment_id=${id}`,
    }),
    nameOf: (account) => facebookSeed.pages.find(({ id }) => id === account)?.name ?? account,
    urlOf: (object) => `https://www.facebook.com/${object}`,
  })
  return {
    routes: takingFields([...access.routes, ...feed.routes, ...videos.routes, ...comments.routes]),
    refusals: graphRefusals,
    routedPath: versionless(context.clock),
    headers: () => usageHeaders,
    posts: () => [...feed.posts(), ...videos.posts(), ...comments.posts()],
    other: feed.other,
  }
}
