import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blocksOf } from '../start/snippets/blocks.ts'
import { runSnippet } from './run-snippet.ts'
import { snippets } from './snippets.ts'

const blocks = blocksOf('infra/openapi/guides/webhook-receivers.md')
const codeOf = (file: string): string => {
  const block = blocks.find(({ flags }) => flags.includes(file))
  if (block === undefined) throw new Error(`The guide has no block ${file}.`)
  return block.code
}

const saved = (...files: string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'receivers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of files) writeFileSync(join(folder, file), codeOf(file))
  return folder
}

/** Programs that give each case to a receiver as its framework does; console.log of the receiver stays out of the answer. */
const readCases = `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(0)).map((each) => ({ ...each, rawBody: Buffer.from(each.rawBody, 'base64') }))
const say = console.log
console.log = () => {}
const taken = []
for (const { headers, rawBody, secret } of cases) {
  process.env.WEBHOOK_SECRET = secret
  taken.push(await take(headers, rawBody))
}
say(JSON.stringify(taken))
`
const callers = {
  'route.mjs': `
const take = async (headers, body) => {
  try { return (await POST(new Request('http://localhost/webhooks', { method: 'POST', headers, body }))).status === 204 } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}`,
  'lambda.mjs': `
const take = async (headers, rawBody) => {
  try { return (await handler({ headers, body: rawBody.toString('base64'), isBase64Encoded: true })).statusCode === 204 } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}`,
}

test.each([
  ['route.mjs', 'POST'],
  ['lambda.mjs', 'handler'],
] as const)('the receiver %s takes genuine deliveries and nothing else', (file, name) => {
  const folder = saved('verify.mjs', file)
  const program = `import { ${name} } from ${JSON.stringify(join(folder, file))}\n${callers[file]}\n${readCases}`
  const { expected, answered } = runSnippet(process.execPath, ['--input-type=module', '--eval', program])
  expect(answered).toEqual(expected)
  expect(answered.length).toBeGreaterThan(30)
})

test('every receiver verifies by the lines of the guide about webhooks, which are tested in each language', () => {
  const [node = ''] = snippets('js').filter((snippet) => snippet.includes('node:crypto'))
  const [python = ''] = snippets('python')
  const [go = ''] = snippets('go')
  const from = (code: string, start: string) => code.slice(code.indexOf(start)).trim()
  expect(codeOf('verify.mjs').trim()).toBe(node.trim())
  expect(codeOf('main.py')).toContain(from(python, 'def is_genuine'))
  expect(codeOf('main.go')).toContain(from(go, 'func isGenuine'))
  for (const file of ['express.mjs', 'route.mjs', 'lambda.mjs']) expect(codeOf(file)).toContain("from './verify.mjs'")
})
