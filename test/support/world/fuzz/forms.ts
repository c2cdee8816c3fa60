import * as fc from 'fast-check'
import type { Sent } from '../wire.ts'
import { nastyTexts } from './corpus.ts'

/** A request that a page took. */
export interface GoodVisit {
  method: string
  url: URL
  cookie: string | undefined
  form: URLSearchParams
}

const short = nastyTexts.filter((text) => text.length < 2_500).map((text) => text.toWellFormed())
const nasty = fc.constantFrom(...short)

const rarely = <T>(value: fc.Arbitrary<T>, usual: T, weight = 14, odd = 1) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: odd, arbitrary: value })

/** Fields that no form has, or has already. */
const moreFields = (names: readonly string[]) =>
  fc.constantFrom<(readonly [name: string, text: string])[][]>(
    [],
    [['__proto__', 'x']],
    [['constructor', 'x']],
    [['unheardOf', '1']],
    [['return', '///nobody.invalid/']],
    [['return', 'https://nobody.invalid/']],
    [['token', '\u0000']],
    [['email', 'a@b.test\r\nBcc: c@d.test']],
    names.slice(0, 1).map((name) => [name, 'twice'] as const),
  )

const written = (pairs: readonly (readonly [name: string, text: string])[]) =>
  String(new URLSearchParams(pairs.map(([name, text]): [string, string] => [name, text])))

/** Unchanged fields, with nasty texts among them, twice, without one or with one too many. */
const fields = (good: URLSearchParams): fc.Arbitrary<string> => {
  const names = [...new Set(good.keys())]
  const more = moreFields(names)
  // A password costs a sixth of a second to hash: where there is one, most forms are refused before.
  const costly = names.some((name) => /password/i.test(name))
  const texts = names.map((name) => rarely(nasty, good.get(name) ?? '', costly ? 1 : 4, costly ? 4 : 1))
  const mutated = fc.tuple(fc.tuple(...texts), rarely(more, [], 5), fc.nat({ max: 20 })).map(([all, extra, left]) => {
    const pairs = all.map((text, index) => [names[index] ?? '', text] as const)
    return written([...pairs.filter((_, index) => index !== left), ...extra])
  })
  const extended = more.map((extra) => written([...good, ...extra]))
  return fc.oneof({ weight: 5, arbitrary: mutated }, { weight: 1, arbitrary: extended })
}

const garbage = fc.constantFrom('', '%', '%zz=%ff', '&&&===', '\u0000', '{"a":1}', 'a'.repeat(17_000), '%F0%9F=1')

/** Requests to a page: what a browser sends, and what only another client would. */
export const requestsToPage = ({ method, url, cookie, form }: GoodVisit): fc.Arbitrary<Sent> => {
  const header = nasty.filter((text) => /^[\x20-\x7e]*$/.test(text))
  const bodies = method === 'GET' ? fc.constant(undefined) : rarely(garbage, undefined, 9)
  return fc
    .record({
      query: fields(url.searchParams),
      form: fields(form),
      garbage: bodies,
      Cookie: rarely(
        fc.oneof(
          header,
          fc.constantFrom('svc_session', 'svc_session=', `svc_session=;${cookie}`, `${cookie}; ${cookie}`),
        ),
        cookie,
        9,
      ),
      'Sec-Fetch-Site': rarely(fc.constantFrom('cross-site', 'none', 'same-site', ''), 'same-origin', 19),
      'Content-Type': rarely(
        fc.constantFrom('application/json', 'multipart/form-data', ''),
        'application/x-www-form-urlencoded',
        19,
      ),
      'User-Agent': rarely(header, 'test'),
    })
    .map(({ query, form: sent, garbage: raw, ...headers }) => ({
      method,
      path: query === '' ? url.pathname : `${url.pathname}?${query}`,
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      ...(method === 'GET' ? {} : { body: raw ?? sent }),
    }))
}
