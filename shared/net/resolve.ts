// Whole: what is imported by name goes on asking the servers of the start after `setServers`.
import dns from 'node:dns/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** How long the answer of one family is waited for once the other has come (RFC 8305, section 3). */
const resolutionDelayMs = 50

/**
 * Every address of a name, asked of the name servers themselves: the system's own lookup reads the hosts file, and holds
 * one of the four threads of this process for as long as a name server is silent.
 */
export async function resolveName(host: string): Promise<readonly string[]> {
  const asked = [dns.resolve4(host), dns.resolve6(host)]
  const late = Promise.any(asked).then(() => wait<string[]>(resolutionDelayMs, []))
  const answers = await Promise.all(asked.map((one) => Promise.race([one, late]).catch(() => [])))
  return answers.flat()
}
