import { openAccess } from './facebook/access.ts'
import { openFeed } from './facebook/feed.ts'
import { facebookSeed } from './facebook/seed.ts'
import { openVideos } from './facebook/videos.ts'
import { graphRefusals, usageHeaders } from './graph/refuse.ts'
import type { Platform, SimulatorContext, StandIn } from './standin.ts'

export { facebookSeed } from './facebook/seed.ts'

/** People and the pages they look after, by the rules of Graph API v25.0. */
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
  return {
    routes: [...access.routes, ...feed.routes, ...videos.routes],
    refusals: graphRefusals,
    headers: () => usageHeaders,
    posts: () => [...feed.posts(), ...videos.posts()],
    other: feed.other,
  }
}
