/** Platforms that publish no file about their answers, or whose real server is tested, and what their stand-ins follow. */
export const withoutFile: Readonly<Record<string, string>> = {
  threads: 'Threads API documents; the specs of facebook-business-sdk-codegen have no type of a post',
  tiktok: 'Content Posting API documents; there is no file',
  linkedin: 'Posts, Images, Videos, Documents, and Comments API documents; there is no file',
  reddit: 'the API documents, and the models of PRAW; there is no file',
  wordpress: 'a real server is tested: npm run test:judge -- wordpress',
  nostr: 'a real relay is tested: npm run test:judge -- nostr',
}
