/** A request to the API and all that came back, headers too. */
export interface Exchanged {
  url: URL
  /** Headers and body as one text. */
  requestText: string
  answered: string
  /** For people, not for programs. */
  isPage: boolean
}

/** What people see: a page of ours, or of a platform where they let the service in. */
const isPage = (path: string) => !path.startsWith('/api/') || path.endsWith('/authorize')

const written = (headers: Headers) => [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')

/** Records what `fetch` sends and receives until stopped. */
export const recordTraffic = () => {
  const honest = globalThis.fetch
  const exchanged: Exchanged[] = []
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const requestText = `${request.url}\n${written(request.headers)}\n${await request.clone().text()}`
    const answer = await honest(request)
    const url = new URL(request.url)
    const answered = `${written(answer.headers)}\n${await answer.clone().text()}`
    exchanged.push({ url, requestText, answered, isPage: isPage(url.pathname) })
    return answer
  }
  return {
    exchanged,
    stop: () => {
      globalThis.fetch = honest
    },
  }
}
