// The whole module: named imports keep using the initial servers after `setServers`.
import dns from 'node:dns/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** How long to wait for one address family after the other has answered (RFC 8305, section 3). */
const resolutionDelayMs = 50

/**
 * Every address of a name, from the name servers directly: the system's lookup reads the hosts file, and blocks one of
 * the four threads of this process while a name server is silent.
 */
export async function resolveName(host: string): Promise<readonly string[]> {
  const asked = [dns.resolve4(host), dns.resolve6(host)]
  const late = Promise.any(asked).then(() => wait<string[]>(resolutionDelayMs, []))
  const answers = await Promise.all(asked.map((one) => Promise.race([one, late]).catch(() => [])))
  return answers.flat()
}
