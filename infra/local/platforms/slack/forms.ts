import type { Route } from '../standin.ts'

const form = 'application/x-www-form-urlencoded'

/** Methods that read, which also accept a `GET`. */
const reading = [
  ...['/api/auth.test', '/api/team.info', '/api/conversations.list', '/api/conversations.info'],
  ...['/api/conversations.history', '/api/conversations.replies', '/api/chat.getPermalink', '/api/files.info'],
]

/** A route that takes the token in its form instead of a header (Slack, Using the Web API). */
const withToken = (route: Route): Route => ({
  ...route,
  answer(call) {
    const isForm = call.headers['content-type']?.toLowerCase().startsWith(form) === true
    if (!isForm || call.headers['authorization'] !== undefined) return route.answer(call)
    const fields = new URLSearchParams(call.body.toString())
    const token = fields.get('token')
    if (token === null) return route.answer(call)
    fields.delete('token')
    const headers = { ...call.headers, authorization: `Bearer ${token}` }
    return route.answer({ ...call, headers, body: Buffer.from(fields.toString()) })
  },
})

/** A route that reads with its arguments in the query. */
const byQuery = (route: Route): Route => ({
  ...route,
  method: 'GET',
  answer: (call) =>
    route.answer({
      ...call,
      headers: { ...call.headers, 'content-type': form },
      body: Buffer.from(call.query.toString()),
    }),
})

/** The methods with each form of a request that Slack accepts. */
export const inEachForm = (routes: readonly Route[]): Route[] =>
  routes.flatMap((route) => [withToken(route), ...(reading.includes(route.path) ? [byQuery(route)] : [])])
