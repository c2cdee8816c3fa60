import * as z from 'zod/mini'

/** The units of CloudWatch (API reference, "MetricDatum", read 2026-11-26) that the service uses. */
const Unit = z.enum(['Milliseconds', 'Count'])

const named = z.string().check(z.minLength(1), z.maxLength(250), z.regex(/^[!-~][ -~]*$/))

const Directive = z.strictObject({
  Namespace: z.string().check(z.regex(/^[\w./#-]{1,255}$/)),
  Dimensions: z.array(z.array(named).check(z.maxLength(30))).check(z.minLength(1)),
  Metrics: z
    .array(
      z.strictObject({ Name: named, Unit: z.optional(Unit), StorageResolution: z.optional(z.enum({ a: 1, b: 60 })) }),
    )
    .check(z.minLength(1), z.maxLength(100)),
})

/**
 * The rules of a line with embedded metrics (CloudWatch guide, "Specification: Embedded metric format", read 2026-11-26): the
 * objects have no other members, and each name that they mention is a member of the line.
 */
const Line = z.looseObject({
  message: z.string(),
  _aws: z.strictObject({
    Timestamp: z.int(),
    CloudWatchMetrics: z.array(Directive).check(z.minLength(1)),
  }),
})

/** A value of a metric; its dimensions as text, such as `platform=x`. */
export interface Datum {
  namespace: string
  name: string
  dimensions: string
  atMs: number
  value: number
}

const maxLineBytes = 256 * 1024

/** What CloudWatch reads from a line; nothing from one without metrics. Throws for one that it would reject. */
const metricsOfLine = (text: string): Datum[] => {
  const json: unknown = JSON.parse(text)
  if (typeof json !== 'object' || json === null || !('_aws' in json)) return []
  if (Buffer.byteLength(text) > maxLineBytes) throw new Error('the line is too long')
  const line = z.parse(Line, json)
  const { Timestamp: atMs, CloudWatchMetrics } = line._aws
  return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((keys) => {
      const dimensions = keys.map((key) => `${key}=${z.parse(named, line[key])}`).join(' ')
      return Metrics.map(({ Name: name }) => ({
        namespace,
        name,
        dimensions,
        atMs,
        value: z.parse(z.number(), line[name]),
      }))
    }),
  )
}

/** The metrics in the lines that functions have logged. */
export const metricsIn = (logged: readonly string[]): Datum[] => logged.flatMap(metricsOfLine)
