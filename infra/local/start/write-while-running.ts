import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes JSON that is there as a whole or not at all, and goes when this process ends. It may hold secrets. */
export const writeWhileRunning = (file: string, content: object): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  process.once('exit', () => rmSync(file, { force: true }))
}
