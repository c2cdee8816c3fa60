import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../../infra/local/service.ts'
import { layoutOf } from '../../../infra/local/start/layout.ts'
import { openInProcess, seedFolder } from '../../start/kills/in-process.ts'
import {
  built,
  makeFolder,
  removeFolder,
  signalGroup,
  start,
  untilNothingRuns,
  untilUp,
} from '../../start/processes.ts'
import { synthesizeOnce } from '../../support/assembly.ts'
import { inLanes } from '../../support/world/lanes.ts'
import { requestExpecting } from './ask.ts'
import { type Job, jobTextIn, makeJobs } from './due.ts'
import type { Peer } from './peer.ts'
import { metadata, requestOf } from './requests.ts'

const posts = 400
/** They are due over this time, in the middle of the kills. */
const overMs = 20_000
const kills = 10
const livesMs = 2_000

/** A platform answers so long after it has made a post. */
const slow = (['bluesky', 'discord'] as const).map((platform) => ({
  platform,
  operation: 'create',
  times: 100_000,
  fault: 'slow' as const,
  landed: true,
  delayMs: 300,
}))

/** How often each text of these jobs is on a platform in the end. */
const countLive = (jobs: readonly Job[], published: readonly { text: string }[]) => {
  const times = Map.groupBy(published, ({ text }) => jobTextIn(text))
  const counts = jobs.map(({ text }) => times.get(text)?.length ?? 0)
  return {
    of: jobs.length,
    lost: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length,
  }
}

const settleMs = 40 * 60_000

/** Kills `npm start` two seconds after each start, then lets it settle on a clock that moves by itself. */
export const killService = async () => {
  const synthesized = await synthesizeOnce()
  const setup = { assembly: join(synthesized, 'assembly'), files: join(synthesized, 'files') }
  await built()
  const folder = makeFolder()
  try {
    const opened = await openInProcess(folder, setup)
    const jobs = await scheduleJobs(opened, folder)
    await opened.close()
    for (let times = 0; times < kills; times += 1) {
      // A kill leaves it behind.
      rmSync(layoutOf(folder).service, { force: true })
      const running = start(folder, '--no-demo')
      try {
        const { platformsUrl } = await untilUp(folder, running)
        await requestExpecting(200, { url: `${platformsUrl}/faults`, method: 'POST', body: JSON.stringify(slow) })
        await sleep(livesMs)
      } finally {
        signalGroup(running, 'SIGKILL')
        await running.ended
        await untilNothingRuns(folder)
      }
    }
    const settled = await openInProcess(folder, setup)
    await settled.pass(settleMs)
    const result = countLive(jobs, settled.platforms.published())
    await settled.close()
    return result
  } finally {
    removeFolder(folder)
  }
}

const scheduleJobs = async (service: Service, folder: string): Promise<Job[]> => {
  const { pat, workspaceId, accounts } = await seedFolder(service, folder)
  const jobs = makeJobs(posts, Date.now() + 20_000, overMs)
  await inLanes(jobs, 8, ({ text, platform, atMs }) => {
    const body = {
      socialAccountIds: [accounts[platform]],
      content: text,
      metadata,
      scheduledAt: new Date(atMs).toISOString(),
    }
    return requestExpecting(201, requestOf(service.baseUrl, { pat, workspaceId }, 'POST', '/api/posts/schedule', body))
  })
  return jobs
}

/** Longer than two checks for stalled jobs, which come every 30 s (docs.bullmq.io, "Stalled Jobs"). */
const peerSettlesMs = 100_000

/** The same with the worker and its Redis. */
export const killPeer = async (peer: Peer) => {
  peer.platforms.faults.add(slow)
  const jobs = makeJobs(posts, Date.now() + 2_000, overMs)
  await peer.schedule(jobs)
  for (let times = 0; times < kills; times += 1) {
    await sleep(livesMs)
    await peer.kill()
    await peer.start()
  }
  for (const endMs = Date.now() + peerSettlesMs; Date.now() < endMs; await sleep(1_000)) {
    const { active = 0, waiting = 0, delayed = 0 } = await peer.counts()
    if (active + waiting + delayed === 0) break
  }
  return countLive(jobs, peer.platforms.published())
}
