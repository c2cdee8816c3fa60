import type { Answer } from '../pages/server.ts'
import { withoutTrailingSlash } from './router.ts'
import type { Platform, Route, SimulatorContext, StandIn } from './standin.ts'
import { openComments } from './wordpress/comments.ts'
import { pickingFields } from './wordpress/list.ts'
import { openMedia } from './wordpress/media.ts'
import { openPosts } from './wordpress/posts.ts'
import { wordpressRefusals } from './wordpress/refuse.ts'
import { wordpressSeed } from './wordpress/seed.ts'
import { openTerms } from './wordpress/terms.ts'
import { openUsers } from './wordpress/users.ts'

export { wordpressSeed } from './wordpress/seed.ts'

const [demo] = wordpressSeed.users

/** One WordPress site with permalinks, by the rules of 6.5 with default settings. It also responds below `/blog`. */
export const wordpress: Platform = {
  id: 'wordpress',
  name: 'WordPress',
  tint: '#3858e9',
  maxBodyBytes: 80 * 1024 * 1024,
  login: { site: wordpressSeed.site, username: demo.username, applicationPassword: demo.applicationPassword },
  build,
}

/** The start of the API: with permalinks, and below a path. */
const roots = ['/wp-json', '/blog/wp-json']

function build(context: SimulatorContext): StandIn {
  const ids = context.keep<number>('ids')
  /** Posts and files have one row of numbers. */
  function nextId(): number {
    const id = (ids.get('last') ?? 10) + 1
    ids.set('last', id)
    return id
  }
  const index = (): Answer => {
    const endpoints = { authorization: `https://${wordpressSeed.site}/wp-admin/authorize-application.php` }
    const authentication = { 'application-passwords': { endpoints } }
    return { status: 200, body: { name: 'Demo', namespaces: ['oembed/1.0', 'wp/v2'], authentication } }
  }
  /** Each page of a site states where its API is (REST API Handbook, Discovery). */
  const homes = ['', '/blog'].flatMap((site) =>
    (['GET', 'HEAD'] as const).map((method): Route => {
      const link = `<${context.url}${site}/wp-json/>; rel="https://api.w.org/"`
      const answer = { status: 200, headers: { link, 'content-type': 'text/html' }, body: '<html>Demo</html>' }
      return { method, path: `${site}/`, operation: 'home', answer: () => answer }
    }),
  )
  const users = openUsers(context)
  const media = openMedia(context, users.userOf, nextId)
  const terms = openTerms(context, users.userOf)
  const posts = openPosts(context, users, nextId, { media, terms })
  const comments = openComments(context, users, posts)
  const routes: Route[] = [
    { method: 'GET', path: '/', operation: 'index', answer: index },
    ...users.routes,
    ...media.routes,
    ...terms.routes,
    ...posts.routes,
    ...comments.routes,
  ]
  return {
    routes: [
      ...homes,
      ...roots.flatMap((root) => routes.map((route) => pickingFields({ ...route, path: `${root}${route.path}` }))),
    ],
    routedPath: (path) => (/\/wp-json\/?$|^\/(blog\/)?$/.test(path) ? path : withoutTrailingSlash(path)),
    refusals: wordpressRefusals,
    headers: () => ({}),
    posts: () => [...posts.posts(), ...comments.posts()],
    other: posts.other,
  }
}
