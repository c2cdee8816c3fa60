import type { Context } from '../context.ts'
import type { MediaFile } from '../media/media-file.ts'

/** The public address of a file, for platforms that fetch it themselves. */
export const mediaAddress = (ctx: Context, { storageKey }: Pick<MediaFile, 'storageKey'>): string =>
  `${ctx.env('MEDIA_URL')}/${storageKey.split('/').map(encodeURIComponent).join('/')}`
