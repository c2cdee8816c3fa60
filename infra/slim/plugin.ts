import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { OnLoadResult, Plugin } from 'esbuild'
import { slimSchemas } from './aws-schemas.ts'
import { dropDescriptions } from './descriptions.ts'
import { dropSpecTypes, unlessUsed } from './mcp-schemas.ts'
import { dropKnownRegions } from './partitions.ts'

const sdk = 'node_modules/@(?:aws-sdk|smithy)/'
const mcp = 'node_modules/@modelcontextprotocol/'

/** Parts of libraries that no function reaches, and the file that replaces each. */
const replaced = [
  { part: `${sdk}credential-provider-node/dist-es/index.js$`, by: 'credentials.ts' },
  { part: `${sdk}middleware-endpoint-discovery/dist-es/index.js$`, by: 'endpoint-discovery.ts' },
  { part: `${sdk}core/dist-es/submodules/event-streams/index.js$`, by: 'event-streams.ts' },
  {
    part: `${sdk}(?:eventstream-handler-node|middleware-(?:eventstream|websocket))/dist-es/index.js$`,
    by: 'streaming.ts',
  },
  { part: `${sdk}token-providers/dist-es/index.js$`, by: 'bearer-tokens.ts' },
  { part: `${sdk}core/.*/getInstanceMetadataRegion.js$`, by: 'metadata-region.ts' },
  { part: `${sdk}core/.*/loadSharedConfigFiles.js$`, by: 'shared-config.ts' },
  {
    part: `${sdk}.*/(?:DefaultRateLimiter|HeaderFormatter|Sha256Js|ChecksumStream.browser).js$`,
    by: 'unused-class.ts',
  },
  { part: `${mcp}server/dist/shimsNode.mjs$`, by: 'mcp-shims.ts' },
] as const

const ourText = () => {
  const shared = fileURLToPath(new URL('../../shared/', import.meta.url))
  return globSync(`${shared}**/*.ts`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

// These calls only make things for later use: where nothing uses them, a whole client can go.
const markPure = (source: string) =>
  source.replace(/= (?=(?:perContext|entity|heldSecrets<[^=]*>)\()/g, '= /* @__PURE__ */ ')

/** Leaves out of the bundles what Lambda never runs. */
export const slim = (): Plugin => ({
  name: 'slim',
  setup({ onLoad }) {
    const used = ourText()
    const load = (part: string, loader: 'js' | 'ts' | 'json', change: (text: string) => string) =>
      onLoad({ filter: new RegExp(part) }, async ({ path }): Promise<OnLoadResult> => {
        return { contents: change(await readFile(path, 'utf8')), loader }
      })
    for (const { part, by } of replaced) {
      const standIn = readFileSync(new URL(by, import.meta.url), 'utf8')
      load(part, 'ts', () => standIn)
    }
    load(`${sdk}client-[^/]+/dist-es/schemas/schemas_0.js$`, 'js', (text) => slimSchemas(text, used))
    load(`${sdk}lib-dynamodb/dist-es/pagination/.*Paginator.js$`, 'js', (text) =>
      text.replace('= createPaginator(', '= /* @__PURE__ */ createPaginator('),
    )
    load(`${sdk}core/.*/aws/partitions.js$`, 'js', dropKnownRegions)
    load(`${mcp}core/dist/(?:schemas|auth)-[^/]+\\.mjs$`, 'js', unlessUsed)
    load(`${mcp}server/dist/src-[^/]+\\.mjs$`, 'js', dropSpecTypes)
    load('/(?:shared|functions)/.*\\.ts$', 'ts', (text) =>
      markPure(text.includes("/described.ts'") ? dropDescriptions(text) : text),
    )
    // A client wants only its version, for the user agent.
    load(`${sdk}.*/package.json$`, 'json', (text) => JSON.stringify({ version: JSON.parse(text).version }))
  },
})
