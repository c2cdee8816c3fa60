import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** What is said of a name: all its addresses, or why there are none. */
type Said = readonly string[] | 'missing' | 'failing' | 'silent'

/** A name server on loopback that this process asks; a stranger's, that may change its mind between two questions. */
export interface NameServer {
  /** What each lookup is told, one after the other; the last stays. */
  say(name: string, ...answers: Said[]): void
  /** How often a name was looked up. */
  asked(name: string): number
  close(): void
}

/** Types of records, codes of answers (RFC 1035, RFC 3596). */
const ipv4Record = 1
const ipv6Record = 28
const codes = { missing: 3, failing: 2 }

/** The name in a question, which begins after the header of 12 bytes, and the place behind it. */
const readName = (packet: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = 12
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** An address as a record holds it. */
const bytesOf = (ip: string): number[] => {
  if (isIPv4(ip)) return ip.split('.').map(Number)
  // In its shortest form, so that at most one run of groups is left out, and no IPv4 address stands inside.
  const { hostname } = new URL(`http://[${ip}]`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const groupsIn = (text: string) => text.split(':').filter(Boolean)
  const [before, after] = [groupsIn(head), groupsIn(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}

/** A record that points back to the name in the question and is to be kept for no time at all. */
const recordOf = (type: number, ip: string) => {
  const bytes = bytesOf(ip)
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
}

const answerTo = (packet: Buffer, end: number, type: number, said: Exclude<Said, 'silent'>): Buffer => {
  const ips = typeof said === 'string' ? [] : said.filter((ip) => isIPv4(ip) === (type === ipv4Record))
  const head = Buffer.from(packet.subarray(0, end + 4))
  head.writeUInt16BE(0x8180 | (typeof said === 'string' ? codes[said] : 0), 2)
  head.writeUInt16BE(ips.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...ips.map((ip) => recordOf(type, ip))])
}

/** Starts it, and lets this process ask nobody else until it is closed. */
export const startNameServer = async (): Promise<NameServer> => {
  const answers = new Map<string, Said[]>()
  const questions = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (packet, { port, address }) => {
    const { name, end } = readName(packet)
    const type = packet.readUInt16BE(end)
    if (type !== ipv4Record && type !== ipv6Record) return
    // A lookup asks for both types, each once.
    const times = questions.get(`${name} ${type}`) ?? 0
    questions.set(`${name} ${type}`, times + 1)
    const told = answers.get(name)
    const said = told?.[Math.min(times, told.length - 1)] ?? 'missing'
    if (said !== 'silent') socket.send(answerTo(packet, end, type, said), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const before = getServers()
  setServers([`127.0.0.1:${socket.address().port}`])
  return {
    say: (name, ...said) => void answers.set(name, said),
    asked: (name) => questions.get(`${name} ${ipv4Record}`) ?? 0,
    close() {
      setServers(before)
      socket.close()
    },
  }
}
