import { styleText } from 'node:util'
import * as z from 'zod/mini'
import { requestLine } from '../gateway/request-summary.ts'
import type { Print } from '../progress.ts'

const Timed = z.object({ timestamp: z.string() })
const Request = z.extend(Timed, {
  message: z.literal(requestLine),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.optional(z.string()),
  ms: z.number(),
  requestId: z.string(),
})
const Publication = z.extend(Timed, {
  message: z.literal('attempt ended'),
  platform: z.string(),
  postId: z.string(),
  state: z.string(),
  errorClass: z.optional(z.string()),
  latenessMs: z.optional(z.number()),
})
const Webhook = z.extend(Timed, {
  message: z.literal('webhook attempt ended'),
  eventType: z.string(),
  origin: z.string(),
  attempt: z.int(),
  httpStatus: z.optional(z.int()),
  errorCode: z.optional(z.string()),
  durationMs: z.number(),
})
const Line = z.discriminatedUnion('message', [Request, Publication, Webhook])
type Line = z.infer<typeof Line>

interface Shown {
  what: string
  outcome: string
  good: boolean
  details: readonly string[]
}

const show = (line: Line): Shown => {
  switch (line.message) {
    case requestLine:
      return {
        what: `${line.method} ${line.path}`,
        outcome: [line.status, line.code].filter(Boolean).join(' '),
        good: line.status < 400,
        details: [`${line.ms} ms`, line.requestId],
      }
    case 'attempt ended':
      return {
        what: `publish ${line.platform}`,
        outcome:
          line.state === 'unknown'
            ? 'outcome unknown, is looked up'
            : [line.state, line.errorClass].filter(Boolean).join(' '),
        good: line.state === 'confirmed',
        details: [...(line.latenessMs === undefined ? [] : [`${line.latenessMs} ms late`]), line.postId],
      }
    default:
      return {
        what: `webhook ${line.eventType}`,
        outcome: String(line.errorCode ?? line.httpStatus ?? ''),
        good: line.errorCode === undefined,
        details: [`${line.durationMs} ms`, `attempt ${line.attempt}`, line.origin],
      }
  }
}

/** One line of the log as the terminal shows it; undefined for other lines. */
export const activityLine = (text: string): string | undefined => {
  // Most lines are of other kinds, and parsing JSON takes time.
  if (!text.endsWith('}') || !/"message":"(?:request answered|(?:webhook )?attempt ended)"/.test(text)) return undefined
  const { data } = z.safeParse(Line, JSON.parse(text))
  if (data === undefined) return undefined
  const { what, outcome, good, details } = show(data)
  const time = new Date(data.timestamp).toTimeString().slice(0, 8)
  return `${time}  ${what}  ${styleText(good ? 'green' : 'red', outcome)}  ${details.join('  ')}\n`
}

/** Prints the activity of the service, from the call of `printTo` on. */
export const makeActivity = () => {
  let print: Print | undefined
  return {
    see(line: string): void {
      const shown = print && activityLine(line)
      if (shown !== undefined) print?.(shown)
    },
    printTo(terminal: Print): void {
      print = terminal
    },
  }
}
