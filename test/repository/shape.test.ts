import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import * as z from 'zod/mini'
import { describedRoutes, everyRoute, workerTable } from '../../functions/routes.ts'
import { openApiDocument } from '../../infra/openapi/document.ts'

const root = join(import.meta.dirname, '../..')

/** All sources below a folder, by their path from the root. */
const sourcesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mts|mjs)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))

const isIn = (path: string, ...folders: readonly string[]) => folders.some((folder) => path.startsWith(`${folder}/`))

/** The tests of the local service are next to it. */
const sources = ['shared', 'functions', 'infra'].flatMap(sourcesBelow).filter((path) => !isIn(path, 'infra/local/test'))

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** What a source imports: packages by their name, our own files by their path from the root. */
const importsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name,
  )

const imports = sources.flatMap((path) => importsOf(path).map((imported) => ({ path, imported })))

const describeImports = (violations: readonly { path: string; imported: string }[]) =>
  violations.map(({ path, imported }) => `${path} imports ${imported}`)

const handlers = [...everyRoute, ...workerTable.map((entry) => ({ ...entry, endpoint: entry.worker }))]

test('every handler has a line in the index of its folder, and every line a handler', () => {
  const files = ['functions/api', 'functions/workers']
    .flatMap(sourcesBelow)
    .filter((path) => !path.endsWith('/index.ts'))
  expect(handlers.map(({ entry }) => `functions/${entry}.ts`).sort()).toEqual(files.sort())
})

test('a handler has the name of its file', async () => {
  for (const { name, entry, endpoint } of handlers) {
    const { handler } = await import(join(root, 'functions', `${entry}.ts`))
    expect(handler === endpoint, `${name} is the handler of functions/${entry}.ts`).toBe(true)
    expect(`api/${name}` === entry.replace(/\/([\w-]+)$/, '-$1') || `workers/${name}` === entry, entry).toBe(true)
  }
})

test('operations, functions, and paths are unique', () => {
  const repeated = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at)
  expect(repeated(everyRoute.map(({ operation }) => operation))).toEqual([])
  expect(repeated(handlers.map(({ name }) => name))).toEqual([])
  expect(repeated(everyRoute.map(({ endpoint: { contract } }) => `${contract.method} ${contract.path}`))).toEqual([])
})

test('the OpenAPI document has every operation at its path', () => {
  const Document = z.object({
    paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
  })
  const { paths } = z.parse(Document, JSON.parse(JSON.stringify(openApiDocument())))
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  )
  const table = describedRoutes.map(
    ({ operation, endpoint: { contract } }) => `${operation} ${contract.method.toLowerCase()} ${contract.path}`,
  )
  expect(described.sort()).toEqual(table.sort())
})

test('no source file has more than 400 lines', () => {
  expect(sources.length).toBeGreaterThan(200)
  const long = sources.filter((path) => textOf(path).trimEnd().split('\n').length > 400)
  expect(long).toEqual([])
})

/** A part of the syntax tree (ESTree). */
interface SyntaxNode {
  type: string
  start: number
  end: number
  /** Of an object literal. */
  properties?: SyntaxNode[]
  /** Of a spread. */
  argument?: SyntaxNode
}

const isSyntaxNode = (value: object): value is SyntaxNode => 'type' in value && 'start' in value && 'end' in value

/** The nodes of a type in a source. */
const nodesOf = (path: string, text: string, type: RegExp): SyntaxNode[] => {
  const nodes: SyntaxNode[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (isSyntaxNode(value) && type.test(value.type)) nodes.push(value)
    Object.values(value).forEach(visit)
  }
  visit(parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : /\.d\.m?ts$/.test(path) ? 'dts' : 'ts' }))
  return nodes
}

test('no function has more than 120 lines, except the closures of the local service', () => {
  const long = sources
    .filter((path) => !isIn(path, 'infra/local'))
    .flatMap((path) => {
      const text = textOf(path)
      const lineOf = (at: number) => text.slice(0, at).split('\n').length
      return nodesOf(path, text, /Function/)
        .filter(({ start, end }) => lineOf(end) - lineOf(start) >= 120)
        .map(({ start }) => `${path}:${lineOf(start)}`)
    })
  expect(long).toEqual([])
})

test('no object literal spreads another literal', () => {
  const tests = ['test', 'infra/local/test'].flatMap(sourcesBelow)
  const padded = [...sources, ...tests].flatMap((path) => {
    const text = textOf(path)
    return nodesOf(path, text, /^ObjectExpression$/).flatMap(({ properties = [] }) =>
      properties
        .filter(({ type, argument }) => type === 'SpreadElement' && argument?.type === 'ObjectExpression')
        .map(({ start }) => `${path}:${text.slice(0, start).split('\n').length}`),
    )
  })
  expect(padded).toEqual([])
})

/** The parameters of a function whose parentheses open just before an offset in a text. */
const parametersAt = (text: string, from: number): string[] => {
  const parts = ['']
  let depth = 0
  for (let at = from; depth >= 0 && at < text.length; at += 1) {
    const sign = text.charAt(at)
    if ('([{<'.includes(sign)) depth += 1
    // The arrow of a function type closes nothing.
    if (')]}>'.includes(sign) && text.slice(at - 1, at + 1) !== '=>') depth -= 1
    if (sign === ',' && depth === 0) parts.push('')
    else parts.push(parts.pop() + sign)
  }
  return parts.filter((part) => part.replace(')', '').trim() !== '')
}

const functionStart = /^ *(?:export )?(?:const (\w+) = (?:async )?|(?:async )?function\*? (\w+))(?:<[^()]*>)?\(/gm

/** What took more when this law was written. It may only shrink. */
const maxManyParameters = 18

test('few functions take more than the context and three parameters; what belongs together is an object', () => {
  const violations = sources.flatMap((path) => {
    const text = textOf(path)
    return [...text.matchAll(functionStart)]
      .filter(({ 0: start, index }) => parametersAt(text, index + start.length).length > 4)
      .map(([, name, declared]) => `${path} ${name ?? declared}`)
  })
  expect(violations.length, violations.join('\n')).toBeLessThanOrEqual(maxManyParameters)
})

/** The call of a handler, whose type depends on the access; the event of a call within the process; a plugin's type. */
const maxBlindCasts = 3

test('no type is cast through unknown, except where the compiler cannot infer it', () => {
  const casts = sources.flatMap((path) => (textOf(path).match(/\bas unknown as\b/g) ?? []).map(() => path))
  expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(maxBlindCasts)
})

test('shared imports only shared, functions import only shared, and nothing imports a test', () => {
  expect(imports.length).toBeGreaterThan(500)
  const wrong = imports.filter(
    ({ path, imported }) =>
      isIn(imported, 'test', 'infra/local/test') ||
      (isIn(path, 'shared') && isIn(imported, 'functions', 'infra')) ||
      (isIn(path, 'functions') && isIn(imported, 'infra')),
  )
  expect(describeImports(wrong)).toEqual([])
})

test('a handler imports no other handler, except that the MCP server calls those of its tools', () => {
  const isIndex = (path: string) => path.endsWith('/index.ts')
  const isMcp = ({ path, imported }: { path: string; imported: string }) =>
    path === 'functions/api/oauth/mcp.ts' && imported === 'functions/tools.ts'
  const wrong = imports.filter(
    ({ path, imported }) =>
      isIn(path, 'functions/api', 'functions/workers') && !isIndex(path) && isIn(imported, 'functions'),
  )
  expect(describeImports(wrong.filter((violations) => !isMcp(violations)))).toEqual([])
})

test('only zod/mini is imported', () => {
  const taken = imports.filter(({ imported }) => /^zod(?:\/|$)/.test(imported))
  expect(taken.length).toBeGreaterThan(50)
  expect(describeImports(taken.filter(({ imported }) => imported !== 'zod/mini'))).toEqual([])
})

/**
 * Who may use the parts of a transaction other than `commit/`, and why: a test of an endpoint is not relayed, revoked tokens
 * can belong to several workspaces, devices belong to none, the sender gives events to the relay whose endpoints have changed, and the worker of imports carries no audit trail.
 */
const assembling: Readonly<Record<string, readonly string[]>> = {
  eventIdAt: ['webhooks/deliveries/send-test.ts'],
  recordEvents: [],
  enqueueRelay: ['webhooks/deliveries/deliver.ts'],
  makeEvent: ['webhooks/deliveries/send-test.ts'],
  recordAudit: ['identity/revoke-access-token.ts'],
  idempotencyWrites: ['media/complete.ts', 'notifications/devices/register.ts'],
}

test.each(Object.entries(assembling))('only commit/ and the files with a reason use %s', (name, allowed) => {
  const imported = new RegExp(`^import [^;]*?\\b${name}\\b[^;]*? from '`, 'm')
  const users = sources.filter((path) => {
    const statements = textOf(path).match(/^import [^']*'[^']*'/gm) ?? []
    return statements.some((statement) => imported.test(statement))
  })
  expect(users.filter((path) => !isIn(path, 'shared/commit')).sort()).toEqual(
    allowed.map((path) => `shared/${path}`).sort(),
  )
  expect(users.length, `used in commit/:  ${name}`).toBeGreaterThan(allowed.length)
})
