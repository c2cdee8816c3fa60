import { describe, expect, test } from 'vitest'
import { Refusal } from '../../shared/errors/refusal.ts'
import { openSource } from '../../shared/media/inspect/source.ts'
import { inspectFile } from '../../shared/media/inspect.ts'
import { everyNth } from '../support/thin.ts'
import { filmBombs } from './bombs/film.ts'
import { gifBombs } from './bombs/gif.ts'
import { jpegBombs } from './bombs/jpeg.ts'
import { pngBombs } from './bombs/png.ts'
import { webpBombs } from './bombs/webp.ts'
import { clip } from './clips.ts'
import { look } from './look.ts'

const bombs = [...jpegBombs, ...pngBombs, ...gifBombs, ...webpBombs, ...filmBombs]

/** What a look at a file may cost, in seconds of processor time; the largest of these files have 40 MB. */
const maxSeconds = 1.5

/** Runs something and returns its cost in processor time, which other programs on the machine do not change. */
const costOf = async <T>(run: () => Promise<T>) => {
  const before = process.cpuUsage()
  const value = await run()
  const { user, system } = process.cpuUsage(before)
  return { value, seconds: (user + system) / 1e6 }
}

describe('inspected at completion, within a bounded time', () => {
  test.each(everyNth(3, bombs))('$name: $ends', async ({ name, make, ends }) => {
    const bytes = make()
    const { value: seen, seconds } = await costOf(() => look(bytes))
    const code = seen.error instanceof Refusal ? seen.error.details.code : seen.error
    if (process.env['BOMB_COSTS']) process.stderr.write(`${seconds.toFixed(2)} s, ${bytes.length} bytes: ${name}\n`)
    expect(code ?? 'taken').toBe(ends)
    if (seen.error instanceof Refusal) expect(seen.error.message).toMatch(/^The uploaded file .+\.$/)
    expect(seconds).toBeLessThan(maxSeconds)
  })

  test('rejects a video of 1 GB that declares a huge index, without reading it', async () => {
    const head = Buffer.concat([clip().subarray(0, 32), Buffer.from('3b9ac000', 'hex'), Buffer.from('moov')])
    const size = 1_073_741_824
    const load = async (from: number, to: number) =>
      from === 0 ? Buffer.concat([head, Buffer.alloc(to - head.length)]) : Buffer.alloc(to - from)
    const source = await openSource(size, load)
    await expect(inspectFile(source, 'video/mp4')).rejects.toMatchObject({ details: { code: 'media_damaged' } })
  })
})
