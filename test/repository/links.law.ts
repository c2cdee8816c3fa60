import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Marked, type Token } from 'marked'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anchorOf } from '../../infra/openapi/guide-pages.ts'
import { guides } from '../../infra/openapi/guides.ts'
import { catalog } from '../../shared/errors/catalog.ts'
import { type Kit, start } from '../support/start.ts'

const root = join(import.meta.dirname, '../..')

const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')

interface Links {
  targets: string[]
  anchors: Set<string>
}

/** The links of a Markdown text, and the anchors of its headings as GitHub makes them: repeated ones are counted. */
const linksIn = (text: string): Links => {
  const targets: string[] = []
  const anchors = new Set<string>()
  const marked = new Marked()
  const note = (token: Token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(token.href)
    if (token.type !== 'heading') return
    const anchor = anchorOf(token.text)
    let count = 0
    while (anchors.has(count === 0 ? anchor : `${anchor}-${count}`)) count += 1
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`)
  }
  marked.walkTokens(marked.lexer(text), note)
  return { targets, anchors }
}

/** Guides have tables from the catalogs behind their own text. */
const textOf = (path: string): string =>
  guides().find(({ name }) => path === `infra/openapi/guides/${name}.md`)?.markdown ??
  readFileSync(join(root, path), 'utf8')

const isExternal = (target: string) => /^(?:https?:|mailto:)/.test(target)

test('every link and anchor in every document leads to something', () => {
  expect(documents.length).toBeGreaterThan(30)
  const broken: string[] = []
  let count = 0
  for (const path of documents) {
    for (const target of linksIn(textOf(path)).targets) {
      // A guide links to the reference of the service that shows it.
      if (isExternal(target) || target.startsWith('/')) continue
      count += 1
      const [file = '', anchor] = target.split('#')
      const to = file === '' ? path : join(dirname(path), file)
      if (!existsSync(join(root, to))) broken.push(`${path}: ${target}`)
      else if (anchor !== undefined && !linksIn(textOf(to)).anchors.has(anchor)) broken.push(`${path}: ${target}`)
    }
  }
  expect(broken).toEqual([])
  expect(count).toBeGreaterThan(60)
})

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

interface Fetched {
  status: number
  type: string
  text: string
}

const hrefsIn = ({ type, text }: Fetched): string[] => {
  const hasTarget = type.startsWith('text/html')
    ? [...text.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to)
    : [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
  return hasTarget.map((to) => to.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'))
}

const anchorsIn = ({ type, text }: Fetched): Set<string> =>
  type.startsWith('text/html')
    ? new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id))
    : linksIn(text).anchors

/** The reference is rendered in the browser; its links are those of the descriptions in the document. */
const linksOfReference = (document: string): string[] =>
  [...document.matchAll(/\]\((\/[^)\s"\\]+)\)/g)].map(([, to = '']) => to)

test('a walk from the start, the reference, and llms.txt meets no broken link', async () => {
  const fetched = new Map<string, Fetched>()
  const broken: string[] = []
  const anchors: { from: string; address: string; anchor: string }[] = []
  // `docUrl` of every error leads to its page; no other page does.
  const errors = Object.keys(catalog).map((code) => `/api/docs/errors/${code}`)
  const queue = ['/', '/api/docs', '/llms.txt', '/llms-full.txt', '/api/openapi.json', ...errors].map((path) => ({
    from: 'the start',
    address: `${kit.url}${path}`,
  }))
  const visit = (from: string, to: string) => {
    if (/^(?:mailto:|data:)/.test(to)) return
    const url = new URL(to, from)
    if (url.origin !== kit.url) return
    const anchor = decodeURIComponent(url.hash.slice(1))
    url.hash = ''
    if (anchor !== '') anchors.push({ from, address: url.href, anchor })
    if (!fetched.has(url.href)) queue.push({ from, address: url.href })
  }
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { from, address } = next
    if (fetched.has(address)) continue
    const answer = await fetch(address, { headers: { Accept: 'text/html, */*' } })
    const page = { status: answer.status, type: answer.headers.get('Content-Type') ?? '', text: await answer.text() }
    fetched.set(address, page)
    // A form is not opened, but sent.
    if (page.status >= 400 && page.status !== 405) broken.push(`${from} leads to ${address}: ${page.status}`)
    const isReference = address.endsWith('/api/openapi.json')
    if (!isReference && !/^text\/(?:html|markdown|plain)/.test(page.type)) continue
    for (const to of isReference ? linksOfReference(page.text) : hrefsIn(page)) visit(address, to)
  }
  for (const { from, address, anchor } of anchors) {
    const page = fetched.get(address)
    if (page && !anchorsIn(page).has(anchor)) broken.push(`${from} leads to ${address}#${anchor}`)
  }
  expect(broken).toEqual([])
  const paths = [...fetched.keys()].map((address) => new URL(address).pathname)
  const missed = guides().flatMap(({ name }) =>
    [`/api/docs/guides/${name}`, `/api/docs/guides/${name}.md`].filter((path) => !paths.includes(path)),
  )
  expect(missed).toEqual([])
}, 120_000)
