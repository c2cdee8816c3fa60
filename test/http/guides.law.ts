import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, routes } from '../../functions/routes.ts'
import { anchorOf, guideMarkup } from '../../infra/openapi/guide-pages.ts'
import { guides } from '../../infra/openapi/guides.ts'
import { catalog } from '../../shared/errors/catalog.ts'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const all = guides()
const root = join(import.meta.dirname, '../..')
const get = async (address: string) => {
  const answer = await fetch(address)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('every guide is in the list once, with one title', () => {
  const files = readdirSync(join(root, 'infra/openapi/guides')).map((file) => file.replace(/\.md$/, ''))
  expect(all.map(({ name }) => name).sort()).toEqual(files.sort())
  for (const { name, markdown } of all) {
    const prose = markdown.replaceAll(/^```.*?^```$/gms, '')
    expect(prose.match(/^# /gm), name).toHaveLength(1)
  }
})

test('each guide is a page and Markdown', async () => {
  for (const { name, title, markdown } of all) {
    const page = await get(`${kit.url}/api/docs/guides/${name}`)
    expect([page.status, page.headers.get('Content-Type')], name).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text, name).toContain(`<h1>${title}</h1>`)
    const script = '<script src="script.js" defer></script>'
    expect(page.text, name).toContain(script)
    expect(page.text.replace(script, ''), name).not.toMatch(/\sstyle=|<script|undefined/)
    const plain = await get(`${kit.url}/api/docs/guides/${name}.md`)
    expect([plain.status, plain.headers.get('Content-Type')], name).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(plain.text, name).toBe(markdown)
  }
})

test('a guide that does not exist returns 404', async () => {
  for (const name of ['nope', 'nope.md', 'constructor', '..%2Fopenapi.json']) {
    const { status, text } = await get(`${kit.url}/api/docs/guides/${name}`)
    expect([status, JSON.parse(text).code], name).toEqual([404, 'guide_not_found'])
  }
})

test('every link in llms.txt resolves, and llms-full.txt has every guide', async () => {
  const { status, headers, text } = await get(`${kit.url}/llms.txt`)
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toMatch(/^# .+\n\n> .+\n/)
  const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(all.length)
  for (const link of links) {
    expect(link).toMatch(new RegExp(`^${kit.url}/`))
    expect((await get(link)).status, link).toBe(200)
  }
  const full = await get(`${kit.url}/llms-full.txt`)
  for (const { name, title } of all) expect(full.text, name).toContain(`\n# ${title}\n`)
  expect(full.text).not.toContain('{baseUrl}')
})

const prose = (markdown: string) => markdown.replaceAll(/^```.*?^```$/gms, '')
const anchorsIn = (markdown: string) =>
  [...prose(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

test('every link of a page to a guide, an error, or a heading resolves', async () => {
  const wrong: string[] = []
  let links = 0
  for (const { name } of all) {
    const address = `${kit.url}/api/docs/guides/${name}`
    const { text } = await get(address)
    for (const [, href = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
      const to = new URL(href, address)
      if (to.origin !== kit.url) continue
      links += 1
      const page = await get(to.href)
      const hasTarget = to.hash === '' || page.text.includes(` id="${to.hash.slice(1)}"`)
      if (page.status !== 200 || !hasTarget) wrong.push(`${name}: ${href}`)
    }
  }
  expect(wrong).toEqual([])
  expect(links).toBeGreaterThan(all.length * 3)
})

test('every anchor that a document of the repository names exists', () => {
  for (const path of ['README.md', ...all.map(({ name }) => `infra/openapi/guides/${name}.md`)]) {
    const text = prose(readFileSync(join(root, path), 'utf8'))
    for (const [, file = '', anchor = ''] of text.matchAll(/\]\(([^):#]*)#([\w-]+)\)/g)) {
      const target = file === '' ? path : join(path, '..', file)
      const name = /guides\/([\w-]+)\.md$/.exec(target)?.[1]
      const markdown = all.find((guide) => guide.name === name)?.markdown ?? readFileSync(join(root, target), 'utf8')
      expect(anchorsIn(markdown), `${path} links to ${file}#${anchor}`).toContain(anchor)
    }
  }
})

test('every route and error page that a guide names exists', () => {
  const patterns = everyRoute.map(
    ({ endpoint }) => new RegExp(`^${endpoint.contract.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  )
  for (const { name, markdown } of all) {
    for (const [, path = ''] of markdown.matchAll(
      /`(?:(?:GET|POST|PATCH|DELETE) )?(\/api\/[\w{}/.-]+)(?:\?[^`]*)?`/g,
    )) {
      const isPrefix = routes.some(({ endpoint }) => endpoint.contract.path.startsWith(`${path}/`))
      expect(isPrefix || patterns.some((pattern) => pattern.test(path)), `${name}: ${path}`).toBe(true)
      const [, code] = /^\/api\/docs\/errors\/(\w+)$/.exec(path) ?? []
      if (code !== undefined) expect(Object.keys(catalog), name).toContain(code)
    }
  }
})

test('the OpenAPI document names this service, and leads to every guide', async () => {
  const { text } = await get(`${kit.url}/api/openapi.json`)
  const { servers, info, tags } = JSON.parse(text)
  expect(servers).toEqual([{ url: kit.url }])
  for (const { name } of all) expect(info.description).toContain(`](${kit.url}/api/docs/guides/${name})`)
  expect(tags[0].name).toBe('posts')
})

test('markup in a guide is shown as text, and no alignment becomes a style', () => {
  const markup = guideMarkup({
    markdown: '# T\n\n<b onclick="x()">a</b>\n\n| n |\n| ---: |\n| 1 |\n\n[a](media.md#b)\n',
  })
  expect(markup).not.toMatch(/<b|style=|align=/)
  expect(markup).toContain('<a href="media#b">')
})
