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
export const viewerScript = (): string => libraryScript() + begin
