import { makeClosing } from '../../../service/closing.ts'
import { startEngines } from '../../../service/engines.ts'
import { systemClock } from '../../../service/system-clock.ts'

const [folder = ''] = process.argv.slice(2)
const engines = await startEngines({ clock: systemClock, folder, invoke: async () => {} }, makeClosing())
engines.buckets.create('files')
const { queues, schedules, keys, secrets, mail, bus, buckets } = engines
const all = Object.entries({ queues, schedules, keys, secrets, mail, bus, buckets })
process.send?.(Object.fromEntries(all.map(([name, { url }]) => [name, url])))
// The test may be killed as well.
process.once('disconnect', () => process.exit())
