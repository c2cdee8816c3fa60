import type { Answer } from '../../pages/server.ts'
import { type Call, parseJson, type Route, type SimulatorContext } from '../standin.ts'
import { refuse } from './refuse.ts'
import { type WordPressUser, wordpressSeed } from './seed.ts'

interface Term {
  id: number
  name: string
}

const asHtml = (name: string) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Categories, which the site has, and tags, which posts bring. */
export function openTerms({ keep }: SimulatorContext, userOf: (call: Call) => WordPressUser) {
  const tags = keep<Term>('tags')
  const categories: readonly Term[] = wordpressSeed.categories.map((name, n) => ({ id: n + 1, name }))

  function search(call: Call): Answer {
    const searched = (call.query.get('search') ?? '').toLowerCase()
    return { status: 200, body: categories.filter(({ name }) => name.toLowerCase().includes(searched)) }
  }
  function make(call: Call): Answer {
    userOf(call)
    const sent = parseJson(call.body, () => refuse(400, 'rest_invalid_json', 'Invalid JSON body passed.'))
    const name = asHtml(String(Object(sent).name ?? ''))
    const known = tags.values().find((tag) => tag.name.toLowerCase() === name.toLowerCase())
    if (known !== undefined) {
      const message = 'A term with the name provided already exists in this taxonomy.'
      refuse(400, 'term_exists', message, { term_id: known.id })
    }
    const tag = { id: 100 + tags.size, name }
    tags.set(String(tag.id), tag)
    return { status: 201, body: tag }
  }
  const namesOf = (terms: readonly Term[], ids: readonly number[]) =>
    ids.map((id) => terms.find((term) => term.id === id)?.name ?? '')
  const routes: Route[] = [
    { method: 'GET', path: '/wp/v2/categories', operation: 'categories', answer: search },
    { method: 'POST', path: '/wp/v2/tags', operation: 'tag', answer: make },
  ]
  return {
    routes,
    categoryNames: (ids: readonly number[]) => namesOf(categories, ids),
    tagNames: (ids: readonly number[]) => namesOf(tags.values(), ids),
  }
}
