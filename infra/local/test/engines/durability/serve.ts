import { makeClosing } from '../../../service/closing.ts'
import { startEngines } from '../../../service/engines.ts'
import { systemClock } from '../../../service/system-clock.ts'

const [folder = ''] = process.argv.slice(2)
const engines = await startEngines({ clock: systemClock, folder, invoke: async () => {} }, makeClosing())
engines.buckets.create('files')
engines.vectors.create('vectors', 'memories', 2)
const { queues, schedules, keys, secrets, mail, bus, buckets, vectors } = engines
const all = Object.entries({ queues, schedules, keys, secrets, mail, bus, buckets, vectors })
process.send?.(Object.fromEntries(all.map(([name, { url }]) => [name, url])))
// The test may be killed as well.
process.once('disconnect', () => process.exit())
