import * as z from 'zod/mini'

const text = z.optional(z.string())

const Entry = z.object({
  Time: z.optional(z.number()),
  Source: text,
  Resources: z.optional(z.array(z.string())),
  DetailType: text,
  Detail: text,
  EventBusName: text,
})
export type Entry = z.infer<typeof Entry>

const maxBytes = 1024 * 1024
const bytesOf = (value: string | undefined) => Buffer.byteLength(value ?? '')

/** As EventBridge counts ("Calculating event sizes", read 2026-11-22). */
const sizeOf = ({ Time, Source, Resources = [], DetailType, Detail }: Entry): number =>
  (Time === undefined ? 0 : 14) +
  [Source, DetailType, Detail, ...Resources].reduce((sum, part) => sum + bytesOf(part), 0)

/** The shape that PutEvents requires; errors of one entry are reported in its part of the response. */
export const PutEventsInput = z.object({ Entries: z.array(Entry).check(z.minLength(1), z.maxLength(10)) }).check(
  z.refine(({ Entries }) => Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) < maxBytes, {
    error: 'Total size of the entries in the request is over the limit.',
  }),
)

/** An event as the targets of rules get it. */
export const BusEvent = z.object({
  version: z.literal('0'),
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  account: z.string(),
  time: z.string(),
  region: z.string(),
  resources: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
  /** The bus of the event; targets do not receive this. */
  bus: z.string(),
})
export type BusEvent = z.infer<typeof BusEvent>
