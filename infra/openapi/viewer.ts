import plugin from '@scalar/fastify-api-reference'
import { examples } from '../../shared/platforms/registry/examples.ts'
import { postExamples } from './examples/posts.ts'
import { story } from './examples/story.ts'

const exampleAccounts = Object.fromEntries(Object.entries(examples).map(([id, { account }]) => [id, account]))

interface Route {
  url: string
  handler(request: unknown, reply: Reply): unknown
}

interface Reply {
  header(name: string, value: string): Reply
  send(text: string): string
}

interface App {
  hasPlugin(name: string): boolean
  route(route: Route): void
}

// What the plugin needs from Fastify to serve a document from an address.
const addTo = plugin as unknown as (app: App, options: { configuration: { url: string } }, done: () => void) => void
const reply: Reply = { header: () => reply, send: (text) => text }

/**
 * The library's script, as its plugin for Fastify serves it. The package of the library itself contains the same file and
 * installs 240 packages that build it.
 */
const libraryScript = (): string => {
  const routes: Route[] = []
  addTo(
    { hasPlugin: () => false, route: (route) => routes.push(route) },
    { configuration: { url: '/api/openapi.json' } },
    () => undefined,
  )
  const script = routes.find(({ url }) => url.endsWith('.js'))?.handler(undefined, reply)
  if (typeof script !== 'string') throw new Error('@scalar/fastify-api-reference serves no script')
  return script
}

/**
 * The order of what the search of the page lists. The library adds up the matches of all fields, and finds nothing if one
 * word is nowhere: titles with the words that were typed come first here, and any of the words is enough if not all are found.
 */
const orderOfSearch = `
const titlesFirst = (index) => {
  const small = new Set(['a', 'an', 'the', 'of', 'to', 'for', 'in', 'on', 'my'])
  const wordsIn = (text = '') => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !small.has(word))
  const stemOf = (word) => (word.length < 5 ? word : word.replace(/(?:ing|ed|es|e|s)$/, ''))
  const search = index.search.bind(index)
  index.search = (text, { limit = 25 } = {}) => {
    const typed = wordsIn(text)
    const stems = typed.map(stemOf)
    const all = search(text)
    const results = all.length > 0 || stems.length === 0 ? all : search(stems.join(' | '))
    const hitsIn = (words) => stems.filter((stem) => words.some((word) => word.startsWith(stem))).length
    const rankOf = ({ item: { title } }) => {
      const words = wordsIn(title)
      const same = typed.filter((word) => words.includes(word)).length
      return 4 * hitsIn(words) + same - words.length / 10
    }
    const ranked = results.map((result) => ({ result, rank: rankOf(result) })).sort((a, b) => b.rank - a.rank)
    return ranked.slice(0, limit).map(({ result }) => result)
  }
  return index
}
`

/** The script of the library with our order of its search. */
const withOrder = (script: string): string => {
  const index =
    /return (new \w+\(\[\],\{keys:\[\{name:`title`,weight:\.7\},\{name:`operationId`[^}]*\}[^)]*?findAllMatches:!0\}\))/
  if (!index.test(script)) throw new Error('@scalar/fastify-api-reference has another search')
  return orderOfSearch + script.replace(index, (_, made: string) => `return titlesFirst(${made})`)
}

/** When the first post of the examples is due. */
const { scheduledAt: firstDue } = postExamples.schedule.request

/** Starts the viewer: own origin only, without fonts, telemetry, and services of its maker. */
const begin = `
;(() => {
  const base = location.href.replace(/\\/api\\/docs.*$/, '')
  const url = base + '/api/openapi.json'
  // The link that \`npm start\` prints signs the page in. A deployment ignores it.
  const given = new URLSearchParams(location.hash.slice(1))
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname)
  const signedIn = isLocal && given.has('token') && given.has('workspace')
  if (signedIn) history.replaceState(null, '', location.pathname)

  // Times in the past are moved to the next days: the service refuses them.
  const dayMs = 86400000
  const lateByDays = Math.max(0, Math.ceil((Date.now() + dayMs - Date.parse('${firstDue}')) / dayMs))
  const moved = (date) => new Date(Date.parse(date) + lateByDays * dayMs).toISOString().slice(0, 10)
  const inTime = (text) => text.replace(/(scheduledAt\\W+)([\\d-]{10})(?=T)/g, (_, before, date) => before + moved(date))

  // The examples name the accounts of the person who came by the link.
  const exampleAccounts = ${JSON.stringify(exampleAccounts)}
  const withOwnAccounts = async (text) => {
    if (!signedIn) return text
    const headers = { Authorization: 'Bearer ' + given.get('token'), 'X-Workspace-Id': given.get('workspace') }
    const response = await fetch(base + '/api/social-accounts', { headers })
    const { data = [] } = await response.json()
    const own = text.replaceAll('${story.workspace}', given.get('workspace'))
    return data.reduce((left, { providerId, id }) => left.replaceAll(exampleAccounts[providerId], id), own)
  }
  // The library fills in the default, or the first value of an enum, and sends it. An optional parameter begins empty:
  // \`live=true\` would remove a live post. The library looks the value up by the name of the example of the body.
  const withEmptyOptions = (text) => {
    const document = JSON.parse(text)
    const own = Object.values(document.paths).flatMap(Object.values)
    const left = (operation) => operation.parameters.filter(({ in: place, required }) => place === 'query' && !required)
    for (const operation of own) {
      const bodies = operation.requestBody?.content['application/json']?.examples ?? { default: null }
      const examples = Object.fromEntries(Object.keys(bodies).map((name) => [name, { value: '' }]))
      for (const parameter of left(operation)) parameter.examples = examples
    }
    return JSON.stringify(document)
  }
  const customFetch = async (...request) => {
    const response = await fetch(...request)
    if (response.url !== url || !response.ok) return response
    return new Response(withEmptyOptions(await withOwnAccounts(inTime(await response.text()))))
  }

  // The library moves the focus to what a link leads to. Only people with a keyboard need to see it.
  addEventListener('keydown', () => document.documentElement.setAttribute('data-keyboard', ''), { once: true })
  const customCss = ':root:not([data-keyboard]) [tabindex="-1"]:focus-visible { outline: none }'

  Scalar.createApiReference('#reference', {
    url,
    customCss,
    customFetch,
    servers: [{ url: base }],
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    hideModels: true,
    authentication: {
      preferredSecurityScheme: [['bearer', 'workspace']],
      ...(signedIn && {
        securitySchemes: { bearer: { token: given.get('token') }, workspace: { value: given.get('workspace') } },
      }),
    },
    // The samples of the document are complete; those that the library generates leave out the key.
    hiddenClients: true,
  })
})()
`

/** The script of the reference page: Scalar, and the lines that start it. */
export const viewerScript = (): string => withOrder(libraryScript()) + begin
