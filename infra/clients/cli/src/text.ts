import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Usage } from './errors.ts'
import type { Output } from './output.ts'

const maxBytes = 1_000_000

const decode = (bytes: Buffer, from: string): string => {
  if (bytes.length > maxBytes) throw new Usage(`${from} has more than ${maxBytes} bytes, too many for a text.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Usage(`${from} is not text in UTF-8.`)
  }
}

/** All of stdin. */
export const readStdin = async (out: Output, what: string): Promise<string> => {
  if (process.stdin.isTTY) out.note(`Type ${what}, and end with Ctrl-D on its own line.`)
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return decode(Buffer.concat(chunks), 'The input').replace(/\r\n/g, '\n').replace(/\n$/, '')
}

/** The sentence about a file that cannot be read. */
export const cannotRead = (path: string, error: unknown): Usage => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new Usage(`There is no file "${path}".`)
  if (code === 'EISDIR') return new Usage(`"${path}" is a folder, not a file.`)
  return new Usage(`"${path}" cannot be read: ${error instanceof Error ? error.message : error}`)
}

/** A text file without its last line break. */
export const readTextFile = async (path: string): Promise<string> => {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  return decode(bytes, `"${path}"`).replace(/\r\n/g, '\n').replace(/\n$/, '')
}

/** A JSON object in an option, or in a file that it names after "@". */
export const readJsonObject = (name: string, text: string | undefined): Record<string, unknown> | undefined => {
  if (text === undefined) return undefined
  let source = text
  if (text.startsWith('@')) {
    try {
      source = readFileSync(text.slice(1), 'utf8')
    } catch (error) {
      throw cannotRead(text.slice(1), error)
    }
  }
  try {
    const value: unknown = JSON.parse(source)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw new Usage(`${name} must be a JSON object by platform, such as '{"slack":{"channelId":"C024BE91L"}}'.`)
}
