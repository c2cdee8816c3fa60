import { signal } from '@preact/signals'
import type { PlatformForm } from '../../../../shared/platforms/form.ts'
import { service } from '../service.ts'
import { useReadEffect } from '../use-read.ts'

export type Platform = Awaited<ReturnType<typeof service.platforms.list>>[number]

/** The part of JSON Schema that the metadata of platforms use for what a person fills in. */
export interface Schema {
  type?: string
  enum?: readonly string[]
  format?: string
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

const platforms = signal<readonly Platform[]>([])

export const knownPlatform = (id: string): Platform | undefined =>
  platforms.value.find((platform) => platform.id === id)

/** The fields that only this platform has. */
export const schemaOf = (id: string): Schema => (knownPlatform(id)?.metadata?.schema ?? {}) as Schema

/** How a person fills them in. */
export const formOf = (id: string): PlatformForm => (knownPlatform(id)?.metadata?.form ?? {}) as PlatformForm

let reading: Promise<readonly Platform[]> | undefined

/** Reads the platforms and their fields once: they change with a release only. */
export const readPlatforms = async (): Promise<readonly Platform[]> => {
  reading ??= service.platforms.list()
  try {
    platforms.value = await reading
  } catch (error) {
    reading = undefined
    throw error
  }
  return platforms.value
}

/** The platforms; none until they are read. */
export const usePlatforms = (): readonly Platform[] => {
  useReadEffect(readPlatforms, [], () => {})
  return platforms.value
}

/** What is known of the platforms that close their APIs, for people. */
export const closingPlatforms = (): string[] => platforms.value.flatMap(({ api }) => api?.closing ?? [])

/** The names of the platforms that take threads: "Bluesky, Threads, and X". */
export const namesWithThreads = (): string =>
  new Intl.ListFormat('en').format(platforms.value.filter(({ threads }) => threads).map(({ name }) => name))
