import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import * as z from 'zod/mini'

const root = join(import.meta.dirname, '../..')

/** The text of every source that can answer a request, outside the catalog itself. */
export const answeringSources = (): string[] =>
  ['shared', 'functions', 'infra/openapi', 'infra/local/gateway']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.startsWith('shared/errors/'))
    .map((path) => readFileSync(join(root, path), 'utf8'))

const Text = z.object({ type: z.literal('Literal'), value: z.string() })
const Template = z.object({
  type: z.literal('TemplateLiteral'),
  quasis: z.array(z.object({ value: z.object({ cooked: z.string() }) })),
})

/** A literal as its fixed parts; anything may stand between them. */
type Parts = readonly string[]

const partsIn = (node: unknown): Parts[] => {
  if (typeof node !== 'object' || node === null) return []
  const below = Object.values(node).flatMap(partsIn)
  const text = z.safeParse(Text, node)
  if (text.success) return [[text.data.value], ...below]
  const template = z.safeParse(Template, node)
  return template.success ? [template.data.quasis.map(({ value }) => value.cooked), ...below] : below
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Patterns of the texts in the sources that have this many fixed characters and are no longer than sentences. */
export const textPatterns = (sources: readonly string[], fixedCharacters: number): RegExp[] =>
  sources
    .flatMap((source) => partsIn(parseAst(stripTypeScriptTypes(source))))
    .filter((parts) => parts.join('').length >= fixedCharacters && parts.join('').length < 500)
    .map((parts) => new RegExp(`^${parts.map(escaped).join('.+')}$`, 'su'))
