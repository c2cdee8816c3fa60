import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import own from '../../../package.json' with { type: 'json' }
import { replaceFileSync } from '../engines/replace-file.ts'
import { Stop } from '../stop.ts'

/** The format of a state, and the release that wrote it last. A change that an older release cannot read raises the format. */
export const StateFormat = z.object({ format: z.int(), version: z.string() })
type StateFormat = z.infer<typeof StateFormat>

export const ownFormat: StateFormat = { format: 1, version: own.version }

/** Throws a Stop if a newer release wrote what is named. */
export const checkFormat = (what: string, { format, version }: StateFormat): void => {
  if (format <= ownFormat.format) return
  throw new Stop(
    `${what} was written by release ${version}, which this one (${ownFormat.version}) cannot read: install ${version} or newer.`,
  )
}

const parse = (text: string): StateFormat | undefined => {
  try {
    return z.safeParse(StateFormat, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Throws a Stop if a newer release wrote the state with this file; a state of before has no such file. */
export const checkFormatFile = (folder: string, file: string): void => {
  if (!existsSync(file)) return
  const format = parse(readFileSync(file, 'utf8'))
  if (format === undefined)
    throw new Stop(`${file} is corrupt: delete it if no release newer than ${ownFormat.version} ran on ${folder}.`)
  checkFormat(`The state in ${folder}`, format)
}

export const writeFormatFile = (file: string): void => replaceFileSync(file, `${JSON.stringify(ownFormat)}\n`, true)
