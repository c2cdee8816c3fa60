import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { type PlatformId, platformIds } from '../../shared/resources.ts'

const root = join(import.meta.dirname, '../..')

const head = '// `npm run platforms` writes this file.\n'

/** A file that lists the exports of one file of each platform, if it exists. */
interface Registry {
  path: string
  name: string
  /** The file of a platform, from that of the registry. */
  fileOf(id: PlatformId): string
  /** The ID of the platform if absent. */
  exported?: string
  /** New platforms go to the end. */
  keepsOrder?: true
}

const shared = (path: string, name: string, file: string): Registry => ({
  path: `shared/platforms/registry/${path}`,
  name,
  fileOf: (id) => `../${id}/${file}`,
})

const registries: readonly Registry[] = [
  { ...shared('definitions.ts', 'definitionsById', 'definition.ts'), exported: 'definition' },
  shared('adapters.ts', 'adapters', 'publish.ts'),
  shared('connectors.ts', 'connectors', 'connect.ts'),
  shared('lifecycles.ts', 'lifecycles', 'lifecycle.ts'),
  { ...shared('form-logins.ts', 'formLogins', 'connect.ts'), exported: 'readLogin' },
  { ...shared('forms.ts', 'forms', 'form.ts'), exported: 'form' },
  { ...shared('live-posts.ts', 'livePosts', 'live.ts'), exported: 'live' },
  { ...shared('examples.ts', 'examples', 'example.ts'), exported: 'example' },
  // The ports follow the order, and accounts of a service that starts again have addresses with them.
  { path: 'infra/local/platforms/stand-ins.ts', name: 'standIns', fileOf: (id) => `./${id}.ts`, keepsOrder: true },
]

const inLines = (name: string, lines: readonly string[]) =>
  `export const ${name} = {\n${lines.map((line) => `  ${line},\n`).join('')}}\n`

const doesExport = (path: string, name: string) =>
  existsSync(path) && new RegExp(`^export const ${name}\\b`, 'm').test(readFileSync(path, 'utf8'))

/** The platforms that a file lists, in its order, then the others. */
const inOrderOf = (path: string): readonly PlatformId[] => {
  const lines = readFileSync(path, 'utf8').split('\n')
  const listed = lines.flatMap((line) => platformIds.filter((id) => line === `  ${id},`))
  return [...new Set([...listed, ...platformIds])]
}

const textOf = ({ path, name, fileOf, exported, keepsOrder }: Registry): string => {
  const order = keepsOrder ? inOrderOf(join(root, path)) : platformIds
  const listed = order.filter((id) => doesExport(join(root, dirname(path), fileOf(id)), exported ?? id))
  const imports = listed.toSorted().map((id) => {
    const imported = exported === undefined ? id : `${exported} as ${id}`
    return `import { ${imported} } from '${fileOf(id)}'\n`
  })
  return `${head}${imports.join('')}\n${inLines(name, listed)}`
}

const Module = z.object({
  definition: z.object({
    name: z.string(),
    fullName: z.optional(z.string()),
    threads: z.optional(z.unknown()),
  }),
})

/** The part of every platform that is needed where all rules would be too much. */
const summaries = async (): Promise<string> => {
  const lines = platformIds.map(async (id) => {
    const module: unknown = await import(`../../shared/platforms/${id}/definition.ts`)
    const { name, fullName = name, threads } = z.parse(Module, module).definition
    return `${id}: { name: '${name}', fullName: '${fullName}', hasThreads: ${threads !== undefined} }`
  })
  return `${head}${inLines('summaries', await Promise.all(lines))}`
}

/** The text of each file that lists the platforms, by path. */
export const registryTexts = async (): Promise<Readonly<Record<string, string>>> => ({
  ...Object.fromEntries(registries.map((registry) => [registry.path, textOf(registry)])),
  'shared/platforms/registry/summaries.ts': await summaries(),
})

if (import.meta.main) {
  for (const [path, text] of Object.entries(await registryTexts())) writeFileSync(join(root, path), text)
}
