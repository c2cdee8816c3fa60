import { ChildProcess } from 'node:child_process'
import diagnostics from 'node:diagnostics_channel'

const children = new Set<ChildProcess>()

// Notified of every new child of this process (node:child_process, node:diagnostics_channel).
diagnostics.subscribe('child_process', (message) => {
  for (const child of Object.values(Object(message))) {
    if (!(child instanceof ChildProcess)) continue
    children.add(child)
    child.once('exit', () => children.delete(child))
  }
})

/** Idle, each of these holds 0.1 GB; the next image starts another. */
export const endImagePrograms = (): void => {
  for (const child of children) {
    if (child.spawnargs.some((argument) => argument.includes('image-program'))) child.kill('SIGKILL')
  }
}
