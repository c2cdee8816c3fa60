import { expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { errorsOf } from '../../infra/openapi/errors-of.ts'
import { gatewayAnswers } from '../../infra/openapi/gateway-answers.ts'
import { guides } from '../../infra/openapi/guides.ts'
import { assistantErrors } from '../../shared/errors/catalog/assistants.ts'
import { pageErrors } from '../../shared/errors/catalog/pages.ts'
import { catalog } from '../../shared/errors/catalog.ts'
import { issueCodes } from '../../shared/errors/issue.ts'
import { type ErrorEntry, statusOf } from '../../shared/errors/reason.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { specifiedSentences } from '../support/declared-errors.ts'
import { answeringSources, textPatterns } from './sources.ts'

const sources = answeringSources()
const entries: readonly [code: string, entry: ErrorEntry][] = Object.entries(catalog)

const platformNames = definitions.map(({ name }) => name)

const twice = (texts: readonly string[]) => texts.filter((text, at) => texts.indexOf(text) !== at)

test('every code is used, and every code of validation is in the catalog', () => {
  expect(entries.length).toBeGreaterThan(100)
  const unused = entries.filter(([code]) => !sources.some((source) => new RegExp(`\\b${code}\\b`).test(source)))
  expect(unused.map(([code]) => code)).toEqual([])
  expect(issueCodes.filter((code) => !(code in catalog))).toEqual([])
})

test('no two codes mean the same, and every message is a complete sentence', () => {
  for (const part of ['message', 'meaning'] as const) expect(twice(entries.map(([, entry]) => entry[part]))).toEqual([])
  for (const [code, { message, meaning, fix }] of entries) {
    for (const sentence of [message, meaning, fix]) {
      if (!specifiedSentences.includes(sentence)) expect(sentence, code).toMatch(/^[A-Z"`].*\.$/s)
    }
  }
})

test('each message is one that the sources write', () => {
  const patterns = textPatterns(sources, 8)
  const isWritten = (text: string) => patterns.some((pattern) => pattern.test(text))
  /** Sentences about platforms continue the platform's name. */
  const withoutName = (message: string) => message.replace(new RegExp(`^(?:${platformNames.join('|')}) `), '')
  const lastSentence = (message: string) => message.split(/(?<=\.) (?=[A-Z"])/).at(-1) ?? ''
  const invented = entries.filter(([code, { message }]) => {
    // Validation joins a finding and what to do about it.
    const isIssue = issueCodes.some((issueCode) => issueCode === code)
    return !isWritten(message) && !isWritten(withoutName(message)) && !(isIssue && isWritten(lastSentence(message)))
  })
  expect(invented.map(([code, { message }]) => `${code}: ${message}`)).toEqual([])
})

test('every code is answered by an operation, by API Gateway, by a page, or by a tool', () => {
  const declared = new Set([
    ...routes.flatMap(({ endpoint }) => errorsOf(endpoint.contract)),
    ...Object.keys(pageErrors),
    ...Object.keys(assistantErrors),
    ...Object.values(gatewayAnswers('https://api.example.com')).map(
      ({ responseTemplates }) => JSON.parse(responseTemplates['application/json']).code,
    ),
    'method_not_allowed',
  ])
  expect(entries.map(([code]) => code).filter((code) => !declared.has(code))).toEqual([])
})

test('the guide lists every code of the API with its status', () => {
  const guide = guides().find(({ name }) => name === 'errors')?.markdown ?? ''
  const rows = entries
    .filter(([code]) => !(code in pageErrors))
    .map(([code, { reason, meaning }]) => `| \`${code}\` | ${statusOf[reason]} | ${meaning} |`)
  expect(rows.filter((row) => !guide.includes(row))).toEqual([])
})
