import type { PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  title: { label: 'Title' },
  featuredMediaAssetId: { label: 'Featured image', help: 'By default, the first image.' },
  excerpt: { label: 'Excerpt' },
  slug: { label: 'Slug', help: 'The last part of the URL, such as rye-bread.' },
  categories: { label: 'Categories', help: 'One per line.' },
  tags: { label: 'Tags', help: 'One per line.' },
  format: {
    label: 'Post format',
    choices: {
      standard: 'Standard',
      aside: 'Aside',
      chat: 'Chat',
      gallery: 'Gallery',
      link: 'Link',
      image: 'Image',
      quote: 'Quote',
      status: 'Status',
      video: 'Video',
      audio: 'Audio',
    },
  },
  isSticky: { label: 'Pin to the top of the site', default: false },
}
