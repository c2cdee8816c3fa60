import { execFile, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ImageError, type ImageJob } from '../../shared/media/convert/image-job.ts'
import { makeImageProcess } from '../../shared/media/convert/image-process.ts'
import { everyNth } from '../support/thin.ts'
import { gifBombs } from './bombs/gif.ts'
import { jpegBombs, scansJpeg } from './bombs/jpeg.ts'
import { pngBombs } from './bombs/png.ts'
import { webpBombs } from './bombs/webp.ts'
import { png } from './files.ts'

const previewOf = (bytes: Uint8Array): ImageJob => ({ kind: 'preview', bytes })
const small = previewOf(png(64, 48))

/** Seconds of decoding, in a few bytes. */
const endless = () => previewOf(scansJpeg(4096, 4096, 20_000))

/** How a job ended: the size of the result, or the reason of the failure. */
const outcome = (made: ReturnType<ReturnType<typeof makeImageProcess>['make']>) =>
  made.then(
    ({ width, height }) => `${width} x ${height}`,
    (error: unknown) => (error instanceof ImageError ? error.failure.why : error),
  )

/** The image processes below a process, by their ids. */
const processesBelow = async (parent = process.pid): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, above, ...command]) => Number(above) === parent && command.join(' ').includes('image-program'))
    .map(([pid]) => Number(pid))
}

test.each([
  ['too much processor time', { cpuSeconds: 0.3, cpuSecondsPerMegapixel: 0 }, endless, 'time'],
  ['too much memory', { memoryMb: 150 }, () => previewOf(scansJpeg(9984, 9984, 20)), 'memory'],
  ['too long by the clock', { wallSeconds: 0.5 }, endless, 'late'],
] as const)('gives up an image that takes %s, and converts the next one', async (_, bounds, make, why) => {
  const images = makeImageProcess(bounds)
  const calm = makeImageProcess()
  const [first, other] = await Promise.all([outcome(images.make(make())), outcome(calm.make(small))])
  expect([first, other]).toEqual([why, '64 x 48'])
  if (why === 'late') return
  expect(await outcome(images.make(small))).toBe('64 x 48')
})

test('the time limit of an image grows with its pixels', async () => {
  const images = makeImageProcess({ cpuSeconds: 0.05, cpuSecondsPerMegapixel: 0.2 })
  expect(await outcome(images.make(previewOf(scansJpeg(9984, 9984, 20))))).toBe('640 x 640')
  expect(await outcome(images.make(previewOf(scansJpeg(640, 640, 60_000))))).toBe('time')
})

test('replaces a crashed process once, then gives up the image', async () => {
  const before = new Set(await processesBelow())
  const images = makeImageProcess()
  const ending = outcome(images.make(endless()))
  const killed = new Set<number>()
  for (let n = 0; n < 400 && killed.size < 2; n += 1) {
    await sleep(50)
    for (const pid of await processesBelow()) {
      if (before.has(pid) || killed.has(pid)) continue
      killed.add(pid)
      process.kill(pid, 'SIGKILL')
    }
  }
  expect(await ending).toBe('crashed')
  expect(await outcome(images.make(small))).toBe('64 x 48')
})

test('a killed service leaves no image process behind, not even a busy one', async () => {
  const script = `
    import { makeImageProcess } from './shared/media/convert/image-process.ts'
    import { scansJpeg } from './test/media/bombs/jpeg.ts'
    await makeImageProcess().make({ kind: 'preview', bytes: scansJpeg(4096, 4096, 20_000) })
  `
  const service = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
  if (service.pid === undefined) throw new Error('the service did not start')
  let below: number[] = []
  for (let n = 0; n < 200 && below.length === 0; n += 1) {
    await sleep(50)
    below = await processesBelow(service.pid)
  }
  expect(below).toHaveLength(1)
  service.kill('SIGKILL')
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  for (let n = 0; n < 200 && below.some(isThere); n += 1) await sleep(50)
  expect(below.filter(isThere)).toEqual([])
})

/** Files that a completion takes, and those that lie in the bucket from before it refused them. */
const bombs = [...jpegBombs, ...pngBombs, ...gifBombs, ...webpBombs]

test('any stored file gets a preview or is given up within the bounds, and the next one gets its preview', async () => {
  const images = makeImageProcess({ cpuSeconds: 1, cpuSecondsPerMegapixel: 0.02 })
  for (const { name, make } of everyNth(3, bombs)) {
    const end = await outcome(images.make(previewOf(make())))
    expect([name, end]).toEqual([name, expect.stringMatching(/^(\d+ x \d+|damaged|pixels|time|memory)$/)])
  }
  expect(await outcome(images.make(small))).toBe('64 x 48')
}, 180_000)
