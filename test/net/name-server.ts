import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** What is said of a name: all its addresses, or why there are none. */
type NameAnswer = readonly string[] | 'missing' | 'failing' | 'silent'

/** A name server on loopback that this process queries; it may change its answers between two queries. */
export interface NameServer {
  /** The answers to successive lookups; the last one repeats. */
  setAnswer(name: string, ...answers: NameAnswer[]): void
  /** How often a name was looked up. */
  queriesFor(name: string): number
  close(): void
}

/** Types of records, codes of answers (RFC 1035, RFC 3596). */
const ipv4Record = 1
const ipv6Record = 28
const codes = { missing: 3, failing: 2 }

/** The name in a question, which begins after the header of 12 bytes, and the offset after it. */
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

/** A record that points back to the name in the question with a TTL of zero. */
const recordOf = (type: number, ip: string) => {
  const bytes = bytesOf(ip)
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
}

const answerTo = (packet: Buffer, end: number, type: number, answer: Exclude<NameAnswer, 'silent'>): Buffer => {
  const ips = typeof answer === 'string' ? [] : answer.filter((ip) => isIPv4(ip) === (type === ipv4Record))
  const head = Buffer.from(packet.subarray(0, end + 4))
  head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2)
  head.writeUInt16BE(ips.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...ips.map((ip) => recordOf(type, ip))])
}

/** Starts it, and makes this process query only this server until it is closed. */
export const startNameServer = async (): Promise<NameServer> => {
  const answers = new Map<string, NameAnswer[]>()
  const questions = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (packet, { port, address }) => {
    const { name, end } = readName(packet)
    const type = packet.readUInt16BE(end)
    if (type !== ipv4Record && type !== ipv6Record) return
    // A lookup queries both types, each once.
    const times = questions.get(`${name} ${type}`) ?? 0
    questions.set(`${name} ${type}`, times + 1)
    const sequence = answers.get(name)
    const answer = sequence?.[Math.min(times, sequence.length - 1)] ?? 'missing'
    if (answer !== 'silent') socket.send(answerTo(packet, end, type, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const before = getServers()
  setServers([`127.0.0.1:${socket.address().port}`])
  return {
    setAnswer: (name, ...answer) => void answers.set(name, answer),
    queriesFor: (name) => questions.get(`${name} ${ipv4Record}`) ?? 0,
    close() {
      setServers(before)
      socket.close()
    },
  }
}
