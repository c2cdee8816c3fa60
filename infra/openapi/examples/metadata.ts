import { definitions } from '../../../shared/platforms/definitions.ts'
import { examples } from '../../../shared/platforms/registry/examples.ts'
import { story } from './story.ts'

/** A valid post for each platform that takes metadata. */
export const metadataExamples = Object.fromEntries(
  definitions.flatMap(({ id, name }) => {
    const { account, post } = examples[id]
    if (post === undefined) return []
    const value = {
      socialAccountIds: [account],
      content: 'Rye sourdough, fresh from the oven at seven.',
      ...(post.file === undefined ? {} : { mediaUrls: [story[post.file]] }),
      metadata: { [id]: post.metadata },
    }
    return [[id, { summary: `Metadata of ${name}: ${post.shows}`, value }]]
  }),
)
