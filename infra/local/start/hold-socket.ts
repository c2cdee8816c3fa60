import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { codeOf } from '../stop.ts'

/** The system accepts about a hundred characters, so the shorter path is used. */
const shorten = (path: string): string => {
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}

/** The ID of the process that holds a socket; undefined if none does. */
export const holderOf = async (path: string): Promise<string | undefined> => {
  const socket = connect(shorten(path))
  try {
    return await text(socket)
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

const listen = async (path: string): Promise<() => void> => {
  const server = createServer((socket) => socket.end(String(process.pid)).on('error', () => {}))
  server.listen(path).unref()
  await once(server, 'listening')
  return () => server.close()
}

/**
 * Holds a socket until it is released or this process ends, however it ends; undefined if another process holds it. A file
 * with a process ID would outlive its process, and could then name another one.
 */
export const holdSocket = async (path: string): Promise<(() => void) | undefined> => {
  try {
    return await listen(shorten(path))
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error
    if ((await holderOf(path)) !== undefined) return undefined
    rmSync(path, { force: true })
    return listen(shorten(path))
  }
}
