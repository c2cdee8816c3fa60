import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes JSON atomically; the file is removed when this process ends. It may contain secrets. */
export const writeWhileRunning = (file: string, content: object): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  process.once('exit', () => rmSync(file, { force: true }))
}
