import { appendFileSync, writeFileSync } from 'node:fs'
import type { Print } from '../progress.ts'

/**
 * Writes the functions' logs to a file, as CloudWatch stores them when deployed, so that the terminal stays readable. `see`
 * receives each line. Returns a function that prints on the terminal.
 */
export const divertLog = (file: string, see: (line: string) => void): Print => {
  writeFileSync(file, '', { mode: 0o600 })
  const print: Print = process.stdout.write.bind(process.stdout)
  // Written synchronously, so that the last lines before an exit are in it.
  process.stdout.write = (chunk: string | Uint8Array) => {
    for (const line of String(chunk).split('\n')) if (line !== '') see(line)
    try {
      appendFileSync(file, chunk)
    } catch {
      // A full disk does not stop the service: the line is lost.
    }
    return true
  }
  return print
}
