import { startChild } from './local/child.ts'
import { inWords, sendMix } from './local/load.ts'

/**
 * Sends mixed requests at a steady rate to the service as `npm start` runs it, and prints for each route how many answers
 * of each status there were, how long they took, and the memory of the service. Arguments: requests a second, seconds,
 * workspaces.
 */
const [perSecond = 30, seconds = 60, workspaces = 1] = process.argv.slice(2).map(Number)
const tellEverySeconds = 30

const child = await startChild('embedded', workspaces)
try {
  const result = await sendMix(child, perSecond, seconds, ({ seconds: after, open, samples }) => {
    if (after % tellEverySeconds !== 0) return
    const failed = samples.filter(({ status }) => !/^[234]/.test(status)).length
    console.error(`${after} s: ${open} open, ${child.usage().rssMb} MB, ${failed} of 5xx or without an answer`)
  })
  const { samples, deepest, tookSeconds, startMb, peakMb, endMb, cpuMsEach } = result
  console.log(`${samples.length} requests in ${tookSeconds.toFixed(0)} s, at most ${deepest} open at once`)
  for (const [route, of] of [...Map.groupBy(samples, ({ route }) => route)].sort()) console.log(inWords(route, of))
  console.log(inWords('all', samples))
  console.log(`processor time of the service for each request: ${cpuMsEach.toFixed(1)} ms`)
  console.log(`memory of the service: ${startMb} MB at first, ${peakMb} MB at most, ${endMb} MB in the end`)
} finally {
  await child.close()
}
