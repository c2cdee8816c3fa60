import { expect, test } from 'vitest'
import type { Case } from './cases.ts'
import { runSnippet } from './run-snippet.ts'
import { snippets } from './snippets.ts'

const readCases = `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(0)).map((each) => ({ ...each, rawBody: Buffer.from(each.rawBody, 'base64') }))
`
const checkProgram =
  'console.log(JSON.stringify(cases.map((each) => isGenuine(each.headers, each.rawBody, each.secret))))'
const tryIt = `
const takes = ({ headers, rawBody, secret }) => {
  try { return JSON.stringify(readEvent(headers, rawBody, secret)) === JSON.stringify(JSON.parse(rawBody)) } catch { return false }
}
console.log(JSON.stringify(cases.map(takes)))
`

const isJson = ({ rawBody }: Case) => {
  try {
    JSON.parse(rawBody.toString())
    return true
  } catch {
    return false
  }
}

const run = (code: string, rest: string, isIncluded?: (candidate: Case) => boolean) =>
  runSnippet(process.execPath, ['--input-type=module', '--eval', `${code}${readCases}${rest}`], isIncluded)

test('the Node snippet accepts genuine deliveries and nothing else', () => {
  const [code = ''] = snippets('js').filter((snippet) => snippet.includes('node:crypto'))
  const { expected, answered } = run(code, checkProgram)
  expect(answered).toEqual(expected)
})

// The libraries answer the event, so the body has to be one.
test.each(['standardwebhooks', 'svix'])('the %s snippet accepts genuine deliveries and nothing else', (name) => {
  const [code = ''] = snippets('js').filter((snippet) => snippet.includes(`'${name}'`))
  const { expected, answered } = run(code, tryIt, isJson)
  expect(answered).toEqual(expected)
  expect(answered.length).toBeGreaterThan(30)
})

test('each snippet to verify a delivery has at most five lines', () => {
  const blocks = [...snippets('js'), ...snippets('python'), ...snippets('go')]
  expect(blocks).toHaveLength(5)
  for (const block of blocks) {
    // Lines that occur once in a file, and the ends of blocks, are not receiver logic.
    const lines = block.split('\n').filter((line) => /^[ \t]+\S/.test(line) && !/^\t"/.test(line))
    expect(lines.length, block).toBeLessThanOrEqual(5)
  }
})
