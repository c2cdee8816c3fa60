import type sharp from 'sharp'

type Sharp = typeof sharp

/** The accepted formats. The library supports more, and none of the others may read an untrusted file. */
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

/** The image library. It is native code in a layer of its own, so it is loaded on first use. */
export const loadSharp = (): Promise<Sharp> => {
  loading ??= load()
  return loading
}
