import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consumedByTextPost } from '../../capacity/text-post.ts'
import { limitsOf, raisedSettings } from './plan.ts'
import { secondsPerBatch, throughputTable, unitsOf } from './table.ts'

const text = 'We ship the new calendar today: plan a week of posts in one view, and drag them to another hour. Yay'

/** The table of the deployment guide, from the templates and from the units of a post that is published here. */
export const makeThroughput = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'social-throughput-'))
  try {
    const units = unitsOf(await consumedByTextPost(text))
    const limits = {
      default: limitsOf(join(folder, 'default'), {}),
      raised: limitsOf(join(folder, 'raised'), raisedSettings),
    }
    const writes = Object.entries(units.writes).map(
      ([target, sum]) => `${sum} in ${target === 'table' ? 'the table' : target}`,
    )
    return [
      throughputTable(units, limits),
      '',
      `A post with one webhook endpoint writes, after it was scheduled: ${writes.join(', ')}; ${units.partition} of them in the partition of its workspace. A batch is assumed to take ${secondsPerBatch} s, and the account to have 1,000 concurrent executions.`,
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
