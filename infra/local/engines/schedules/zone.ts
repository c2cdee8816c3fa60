const fields = new Map<string, Intl.DateTimeFormat>()

function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = fields.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  fields.set(zone, made)
  return made
}

export function isZone(zone: string): boolean {
  try {
    formatterFor(zone)
    return true
  } catch {
    return false
  }
}

/** The local time of a zone at a moment, as `yyyy-mm-ddThh:mm:ss`. */
export function wallTime(moment: number, zone: string): string {
  // A hundred times faster than the formatter, and the zone of every schedule that the service creates.
  if (zone === 'UTC') return new Date(moment).toISOString().slice(0, -'.000Z'.length)
  const parts = Object.fromEntries(
    formatterFor(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute, second } = parts
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
}

/** The moment at which a zone shows a time: the earlier one of two, and if there is none, as far after the gap. */
export function momentOf(time: string, zone: string): number {
  const asUtc = Date.parse(`${time}Z`)
  const offsetAt = (moment: number) => Date.parse(`${wallTime(moment, zone)}Z`) - moment
  const dayMs = 86_400_000
  // The offsets before and after any change on that day: one of them is right, or both.
  const candidates = [asUtc - offsetAt(asUtc - dayMs), asUtc - offsetAt(asUtc + dayMs)]
  return candidates.find((moment) => wallTime(moment, zone) === time) ?? Math.max(...candidates)
}
