import { labelsOf } from './domains.ts'
import { latin } from './letters.ts'

/** The letters of a host name that X links without a scheme: those of Latin script, and digits. */
const letters = `[-.a-z0-9${latin}]+`
const runs = new RegExp(letters, 'gi')
const isRun = new RegExp(`^${letters}$`, 'i')

const kindOf = (label: string) => ({ isLabel: label !== '', isName: label !== '' })

/** The host names of Latin letters within a valid host name of any letters, in order. */
export const asciiHostsIn = (host: string): string[] => {
  if (isRun.test(host)) return [host]
  const hosts: string[] = []
  for (const { 0: run, index } of host.matchAll(runs)) {
    let reached = index
    for (const { start, dot, isLabel, later, own } of labelsOf(host, run, index, kindOf)) {
      const from = Math.max(start, reached)
      const end = later === -1 ? own : later
      if (!isLabel || from >= dot || end === -1) continue
      hosts.push(host.slice(from, end))
      reached = end
    }
  }
  return hosts
}
