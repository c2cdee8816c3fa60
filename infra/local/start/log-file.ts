import { appendFileSync, writeFileSync } from 'node:fs'
import type { Print } from './progress.ts'

/**
 * Sends what the functions log to a file, as CloudWatch takes it when deployed, so that the terminal stays readable.
 * Answers how to print on the terminal.
 */
export const divertLog = (file: string): Print => {
  writeFileSync(file, '', { mode: 0o600 })
  const print: Print = process.stdout.write.bind(process.stdout)
  // Written at once, so that the last words before an end are in it.
  process.stdout.write = (chunk: string | Uint8Array) => {
    try {
      appendFileSync(file, chunk)
    } catch {
      // A full disk ends no service: the line is lost.
    }
    return true
  }
  return print
}
