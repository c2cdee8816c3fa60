import { mustConvert } from '../platforms/convert-files.ts'
import { definitionOf } from '../platforms/definitions.ts'
import type { OutgoingPost } from '../platforms/post.ts'
import { metadataOf, type Post } from './lifecycle/row.ts'

/** The files of a post as they were uploaded. */
export const filesOf = ({ media, assets = {} }: Post): Pick<OutgoingPost, 'media' | 'assets'> => ({ media, assets })

/** Whether a file of a post must be converted for its platform, which only the preparing worker does. */
export const needsConversion = (post: Post): boolean =>
  mustConvert(definitionOf(post.platform), metadataOf(post), filesOf(post))
