import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { OnLoadResult, Plugin } from 'esbuild'
import { slimSchemas } from './aws-schemas.ts'
import { withoutDescriptions } from './descriptions.ts'
import { dropSpecTypes, unlessUsed } from './mcp-schemas.ts'

const own = fileURLToPath(new URL('../../..', import.meta.url))
  .replace(/\/$/, '')
  .replaceAll(/[.+*?()|[\]{}^$\\]/g, '\\$&')
const sdk = 'node_modules/@(?:aws-sdk|smithy)/'
const mcp = 'node_modules/@modelcontextprotocol/'

/** Parts of libraries that no function reaches, and the file that replaces each; shared/README.md lists the savings. */
const replaced = [
  // 114 to 136 KB, 12 to 15 ms.
  { part: `${sdk}credential-provider-node/dist-es/index.js$`, by: 'credentials.ts' },
  // With the next, 19 to 24 KB, 2 to 5 ms.
  { part: `${sdk}core/dist-es/submodules/event-streams/index.js$`, by: 'event-streams.ts' },
  {
    part: `${sdk}(?:eventstream-handler-node|middleware-(?:eventstream|websocket))/dist-es/index.js$`,
    by: 'streaming.ts',
  },
  // With Bedrock 30 KB, 6 to 9 ms.
  { part: `${sdk}token-providers/dist-es/index.js$`, by: 'bearer-tokens.ts' },
  // In the MCP server 155 KB, 6 ms.
  { part: `${mcp}server/dist/shimsNode.mjs$`, by: 'mcp-shims.ts' },
] as const

const ourText = () => {
  const shared = fileURLToPath(new URL('../../../shared/', import.meta.url))
  return globSync(`${shared}**/*.ts`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

// These calls only create objects for later use: if nothing uses them, a whole client can be dropped, up to 79 KB.
const markPure = (source: string) =>
  source.replace(/= (?=(?:perContext|inOneTurn|entity|cachedSecrets<[^=]*>)\()/g, '= /* @__PURE__ */ ')

/** Leaves out of the bundles what Lambda never runs. */
export const slim = (): Plugin => ({
  name: 'slim',
  setup({ onLoad }) {
    const used = ourText()
    const load = (part: string, loader: 'js' | 'ts' | 'json', change: (text: string, path: string) => string) =>
      onLoad({ filter: new RegExp(part) }, async ({ path }): Promise<OnLoadResult> => {
        return { contents: change(await readFile(path, 'utf8'), path), loader }
      })
    for (const { part, by } of replaced) {
      const standIn = readFileSync(new URL(by, import.meta.url), 'utf8')
      load(part, 'ts', () => standIn)
    }
    // 16 to 150 KB, 4 to 26 ms.
    load(`${sdk}client-[^/]+/dist-es/schemas/schemas_0.js$`, 'js', (text) => slimSchemas(text, used))
    // 1.6 KB.
    load(`${sdk}lib-dynamodb/dist-es/pagination/.*Paginator.js$`, 'js', (text) =>
      text.replace('= createPaginator(', '= /* @__PURE__ */ createPaginator('),
    )
    // In the MCP server 26 KB with the next.
    load(`${mcp}core/dist/(?:schemas|auth)-[^/]+\\.mjs$`, 'js', unlessUsed)
    load(`${mcp}server/dist/src-[^/]+\\.mjs$`, 'js', dropSpecTypes)
    load('/(?:shared|functions)/.*\\.ts$', 'ts', (text, path) => markPure(withoutDescriptions(text, path)))
    // A client, and the service, need only their version, for the user agent. 4 to 18 KB, up to 2 ms.
    load(`(?:${sdk}.*|^${own})/package.json$`, 'json', (text) => JSON.stringify({ version: JSON.parse(text).version }))
  },
})
