import { type Context, perContext } from '../context.ts'
import { readBundledFile } from '../http/bundled-file.ts'
import type { ToolEntry } from './tool.ts'

/** A guide, as its file has it. */
export interface GuideFile {
  name: string
  title: string
  summary: string
  markdown: string
}

const parsed = perContext(() => new Map<string, Promise<unknown>>())

/** A JSON file that is deployed with the bundle; parsed once per environment. */
const readJson = <T>(ctx: Context, name: string): Promise<T> => {
  const files = parsed(ctx)
  const value = files.get(name) ?? readBundledFile(ctx, name).then((text): unknown => JSON.parse(text))
  files.set(name, value)
  return value as Promise<T>
}

export const readTools = (ctx: Context) => readJson<readonly ToolEntry[]>(ctx, 'tools.json')
export const readGuides = (ctx: Context) => readJson<readonly GuideFile[]>(ctx, 'guides.json')
export const readErrorPages = (ctx: Context) => readJson<Readonly<Record<string, { fix: string }>>>(ctx, 'errors.json')
export const readPlatforms = (ctx: Context) => readJson<readonly { id: string; name: string }[]>(ctx, 'platforms.json')
