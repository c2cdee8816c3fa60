/** Made at its first use, which takes 5 ms: most calls need no time of California. */
const clockIn = (): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })

const secondOfDay = (ms: number): number => {
  const parts = clockIn().formatToParts(ms)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  return part('hour') * 3600 + part('minute') * 60 + part('second')
}

/** How long it is to the next midnight in California, where Google's quotas begin anew. */
export const secondsToPacificMidnight = (nowMs: number): number => {
  const plain = 86_400 - secondOfDay(nowMs)
  // On two days of the year an hour is missing or doubled.
  const off = secondOfDay(nowMs + plain * 1000)
  return off > 43_200 ? plain + 86_400 - off : plain - off
}
