import type { Kit } from '../../start.ts'
import { happyVisit } from '../page-visits.ts'
import type { GoodVisit } from './forms.ts'

/** What a browser would send to a page, all being prepared; it is not sent. */
export const goodVisit = async (operation: string, kit: Kit): Promise<GoodVisit> => {
  const visit = await happyVisit(operation, kit)
  const honest = globalThis.fetch
  const requests: Request[] = []
  globalThis.fetch = async (input, init) => {
    requests.push(new Request(input, init))
    return new Response()
  }
  try {
    await visit()
  } finally {
    globalThis.fetch = honest
  }
  const [request] = requests
  if (request === undefined) throw new Error(`${operation} is not visited by fetch`)
  const { method, url, headers } = request
  const cookie = headers.get('Cookie') ?? undefined
  return { method, url: new URL(url), cookie, form: new URLSearchParams(await request.text()) }
}
