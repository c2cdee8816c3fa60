import type sharp from 'sharp'

type Sharp = typeof sharp

/** The formats that are taken; the library knows more, and none of them shall read what a stranger sends. */
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}`)

let loading: Promise<Sharp> | undefined

const load = async (): Promise<Sharp> => {
  const { default: library } = await import('sharp')
  library.cache(false)
  library.concurrency(1)
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: readers })
  return library
}

/** The image library. It is native code that comes in a layer of its own, so it is read when there is work for it. */
export const loadSharp = (): Promise<Sharp> => {
  loading ??= load()
  return loading
}
