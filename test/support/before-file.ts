import { afterAll } from 'vitest'
import './known-keys.ts'
import { endImagePrograms } from './image-programs.ts'
import { endLeftBehind } from './start.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a file and its imports, in milliseconds, without that of processes that it starts. */
    processorMs?: number
  }
}

// Runs before each file: a worker runs one at a time.
const before = process.cpuUsage()
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures a hook uses from its first pattern.
afterAll(({}, file) => {
  const { user, system } = process.cpuUsage(before)
  file.meta.processorMs = Math.round((user + system) / 1000)
})

// A file whose own hook failed before it ended its service fails alone.
await endLeftBehind()
endImagePrograms()
