import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { attempt, service } from '../service.ts'

export type Platform = Awaited<ReturnType<typeof service.platforms.list>>[number]

const platforms = signal<readonly Platform[]>([])

export const knownPlatform = (id: string): Platform | undefined =>
  platforms.value.find((platform) => platform.id === id)

/** Reads the platforms and their fields; they change with a release only. */
export const usePlatforms = (): void => {
  useEffect(() => {
    if (platforms.value.length > 0) return
    attempt(() => service.platforms.list()).then((read) => {
      if (read !== undefined) platforms.value = read
    })
  }, [])
}

/** The names of the platforms that take threads: "Bluesky, Threads, and X". */
export const namesWithThreads = (): string =>
  new Intl.ListFormat('en').format(platforms.value.filter(({ threads }) => threads).map(({ name }) => name))
