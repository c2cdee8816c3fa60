/**
 * The app and the professional accounts of the Instagram stand-in; `id` is the target of their posts. Only the first has
 * trial reels.
 */
export const instagramSeed = {
  clientId: '880000000000002',
  clientSecret: 'local-instagram-client-secret',
  people: [
    { id: '17841400000000001', scopedId: '9000000000000001', name: 'Demo', username: 'demo.gram', type: 'BUSINESS' },
    { id: '17841400000000002', scopedId: '9000000000000002', name: '', username: 'second.gram', type: 'MEDIA_CREATOR' },
  ],
} as const

export type InstagramPerson = (typeof instagramSeed.people)[number]
