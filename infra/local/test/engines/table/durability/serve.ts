import { startTable } from '../../../../engines/table.ts'

const [folder = ''] = process.argv.slice(2)
const { url } = await startTable({ clock: Date, folder })
process.send?.(url)
// The test may be killed as well.
process.once('disconnect', () => process.exit())
